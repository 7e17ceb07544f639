// Dry run: what would be decided about a merge request now. Nothing is sent, and nothing is remembered of it.
import { ServiceError } from '../client/errors.ts'
import { emptyMemory } from '../rules/remember.ts'
import type { Decision, MergeRequestRef } from '../rules/types.ts'
import { withHistory } from './branch-history.ts'
import { type EvaluateOptions, observation } from './evaluate.ts'
import { judge } from './observe.ts'

export type DryRun = { ok: true; decision: Decision } | { ok: false; reason: string }
type Options = Pick<EvaluateOptions, 'client' | 'journal' | 'ruleFiles' | 'spreadRules' | 'brake' | 'self' | 'offLabel' | 'now'>

/** Judges as an evaluation would, with the events that wait in the mailbox. Not `ok` where the service cannot be read. */
export function createDryRun(options: Options): (mergeRequest: MergeRequestRef) => Promise<DryRun> {
  return async (mergeRequest) => {
    const { client, journal, ruleFiles, spreadRules } = options
    try {
      const memory = (await journal.memory(mergeRequest)) ?? emptyMemory()
      const rules = await ruleFiles.inForce(mergeRequest.project)
      // Read for a dry run, new rules are as much in force as when an evaluation reads them.
      if (rules.fresh) await spreadRules(mergeRequest.project, rules)
      const mail = await journal.mailbox(mergeRequest)
      const given = await observation(options, { mergeRequest, memory, rules, mail })
      const { decision } = await judge(client, given, withHistory(journal))
      return { ok: true, decision }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { ok: false, reason: error.message }
    }
  }
}
