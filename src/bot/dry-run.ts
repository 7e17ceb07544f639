// Dry run: what would be decided about a merge request now. Nothing is sent, and nothing is remembered of it.
import type { Client } from '../client/create-client.ts'
import { ServiceError } from '../client/errors.ts'
import { emptyMemory } from '../rules/remember.ts'
import type { Suppositions } from '../rules/suppositions.ts'
import type { Decision, MergeRequestRef } from '../rules/types.ts'
import { withHistory } from './branch-history.ts'
import { type EvaluateOptions, observation } from './evaluate.ts'
import { judge, type Observation } from './observe.ts'
import { occurrencesOf, UnknownSupposedUser } from './supposed-events.ts'

export type DryRun = { ok: true; decision: Decision } | { ok: false; reason: string }
type Options = Pick<EvaluateOptions, 'client' | 'journal' | 'ruleFiles' | 'spreadRules' | 'brake' | 'self' | 'offLabel' | 'now'>

/** Judges as an evaluation would, with the events that wait in the mailbox, and with what is supposed laid over it. Not `ok` where the service cannot be read. */
export function createDryRun(options: Options): (mergeRequest: MergeRequestRef, suppositions?: Suppositions) => Promise<DryRun> {
  return async (mergeRequest, suppositions) => {
    const { client, journal, ruleFiles, spreadRules } = options
    try {
      const memory = (await journal.memory(mergeRequest)) ?? emptyMemory()
      const rules = await ruleFiles.inForce(mergeRequest.project)
      // Read for a dry run, new rules are as much in force as when an evaluation reads them.
      if (rules.fresh) await spreadRules(mergeRequest.project, rules)
      const mail = await journal.mailbox(mergeRequest)
      const given = await observation(options, { mergeRequest, memory, rules, mail })
      const input = suppositions === undefined ? given : await supposing(client, given, suppositions)
      const { decision } = await judge(client, input, withHistory(journal))
      return { ok: true, decision }
    } catch (error) {
      if (!(error instanceof ServiceError || error instanceof UnknownSupposedUser)) throw error
      return { ok: false, reason: error.message }
    }
  }
}

async function supposing(client: Client, given: Observation, suppositions: Suppositions): Promise<Observation> {
  const { stable: _beforeItIsSupposed, ...rest } = given
  const { bot, mergeRequest, events } = given
  const now = suppositions.now ?? given.now
  const supposed = await occurrencesOf(suppositions, { client, bot, at: now, project: mergeRequest.project, iid: mergeRequest.iid })
  return { ...rest, now, suppose: supposed.suppose, events: [...events, ...supposed.events] }
}
