// Tells operators and the merge request's people that it was merged into another branch than the evaluated one.
import type { Logger } from 'pino'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { markdownStyle } from '../../merge-queue/progress-text.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import type { Notifier } from './notify.ts'

export interface MergedElsewhereOptions {
  client: Client
  notify: Notifier['notify']
  log: Logger
}

/** The target branch was changed in the moment of the call. Throws no ServiceError: the merge is done. */
export async function reportMergedElsewhere(
  { client, notify, log }: MergedElsewhereOptions,
  { project, iid }: MergeRequestRef,
  { target, evaluated }: { target: string; evaluated: string },
): Promise<void> {
  log.error({ event: 'merged_elsewhere', target, evaluated }, 'merged into another branch than the evaluated one')
  const about = { project, projectPath: '', iid, target, evaluated }
  await notify({ kind: 'merged_elsewhere', about }, JSON.stringify([project, iid]))
  const [into, instead] = [target, evaluated].map(markdownStyle.code)
  const body = `Bellhop merged it into ${into}, but its rules were evaluated for ${instead}: its target branch was changed in that moment. Check ${into}, and revert the merge where it must not be there.`
  try {
    await client.mergeRequests.notes.create({ id: project, merge_request_iid: iid, body })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    log.warn({ event: 'merged_elsewhere_not_noted', reason: error.message }, 'a note was not written')
  }
}
