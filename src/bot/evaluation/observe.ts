// What an evaluation knows before it asks the service.
import type { Journal, PendingEvent } from '../../journal/types.ts'
import type { DecideInput } from '../../rules/engine/decide.ts'
import { withActivity } from '../../rules/facts/reading/last-activity.ts'
import { knownBefore } from '../../rules/facts/reading/stable-facts.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import type { Observation } from './fetch-facts.ts'
import type { NewRuleCounter } from './new-rule-counts.ts'
import { withoutReplays } from './record-decision.ts'

export interface ObserveOptions {
  journal: Pick<Journal, 'projectMark'>
  newRuleCounter: NewRuleCounter
  botUser: () => Promise<{ id: number; username: string }>
  offLabel: string
  now: () => number
}

export type ObserveInput = Pick<DecideInput, 'mergeRequest' | 'memory'> & {
  rules: RulesInForce
  pendingEvents: PendingEvent[]
}

export async function observe(
  { journal, botUser, now, offLabel, newRuleCounter }: ObserveOptions,
  { mergeRequest, memory, rules, pendingEvents }: ObserveInput,
): Promise<Observation> {
  const [seen, newRuleLimit, bot] = await Promise.all([
    journal.projectMark(mergeRequest.service, mergeRequest.project, 'merge request pipelines'),
    newRuleCounter.state(mergeRequest.project, rules),
    botUser(),
  ])
  const events = withoutReplays(pendingEvents).map(({ deliveryId, event }) => ({ id: deliveryId, event }))
  const at = new Date(now()).toISOString()
  return {
    files: rules.files,
    policy: rules.policy,
    ...(newRuleLimit === undefined ? {} : { newRuleLimit }),
    mergeRequest,
    memory: withActivity(memory, events, bot),
    events,
    now: at,
    stable: knownBefore({ mergeRequest, memory, events, now: at }),
    bot,
    offLabel,
    project: { mergeRequestPipelines: seen !== undefined },
  }
}
