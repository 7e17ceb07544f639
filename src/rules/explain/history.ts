// What happened to a merge request or an issue, as a person would say it.
import { asksToWait } from '../actions/definition/accept-memory.ts'
import type { Event } from '../event-types.ts'
import { count } from '../language/values/wording.ts'
import type { ActionTrace, Decision, RuleTrace } from '../types.ts'
import { leaves, words } from './explain.ts'
import { blockersOf, joined, reasonsIn, sayReason } from './verdict.ts'

/** What is asked for, and what was done then. */
type Verbs = readonly [string, string]

const VERBS: Readonly<Record<string, Verbs>> = {
  accept: ['merge it', 'merged'],
  approve: ['approve it', 'approved'],
  close: ['close it', 'closed'],
  comment: ['comment', 'commented'],
  label: ['label it', 'labelled'],
  rebase: ['rebase it', 'rebased'],
  reopen: ['reopen it', 'reopened'],
}
const ENTER: Verbs = ['queue it', 'queued']

/** Calls that do something else than their action says. */
const OTHERS: Readonly<Record<string, Verbs>> = {
  'mergeQueue.enter': ENTER,
  'mergeQueue.leave': ['take it out of the queue', 'taken out of the queue'],
  'mergeRequests.cancelMergeWhenPipelineSucceeds': ['cancel its merge', 'waiting merge cancelled'],
  'mergeRequests.unapprove': ['withdraw its approval', 'approval withdrawn'],
  'mergeTrains.add': ['add it to the merge train', 'added to the merge train'],
}
const LATER: Verbs = ['let it merge later', 'set to merge later']

const EVENTS: Readonly<Record<string, string>> = {
  'issue.open': 'opened it',
  'merge_request.approval': 'approved it',
  'merge_request.approved': 'approved it',
  'merge_request.close': 'closed it',
  'merge_request.merge': 'merged it',
  'merge_request.open': 'opened it',
  'merge_request.reopen': 'reopened it',
  'merge_request.unapproval': 'withdrew an approval',
  'merge_request.unapproved': 'withdrew an approval',
  'note.create': 'commented',
}

/** `carol commented`, `alice changed labels`. Its texts are as hostile as those of the event. */
export function sayEvent({ kind, actor, pushed, changed = [], pipeline }: Event): string {
  if (pipeline !== undefined) return `Pipeline ${pipeline.id}: ${words(pipeline.status)}`
  const fields = changed.filter((each) => each !== 'updated_at').map(words)
  const changes = fields.length === 0 ? words(kind.replace('.', ': ')) : `changed ${fields.join(', ')}`
  return `${actor.username ?? 'Somebody'} ${pushed?.from ? 'pushed' : (EVENTS[kind] ?? changes)}`
}

/** The short reason of what is held back: `conflict`, `pipeline is running`. */
export function sayHeld({ conditions, detail }: ActionTrace): string {
  const reasons = conditions === undefined ? [] : reasonsIn(conditions)
  return reasons.length === 0 ? detail : joined(reasons.map((each) => each.replace(/^merge status is /, '')))
}

/** The actions that a matched rule asks for and that are held back. */
export const heldActions = ({ rules }: Pick<Decision, 'rules'>): { rule: RuleTrace; action: ActionTrace }[] =>
  rules.flatMap((rule) =>
    rule.verdict !== 'true' || rule.mode !== undefined
      ? []
      : rule.actions.flatMap((action) =>
          action.result === 'blocked' || action.result === 'waits' ? [{ rule, action }] : [],
        ),
  )

/** One sentence for each thing that was done, refused or held back, each once; else what blocks the merge. */
export function sayDecision(decision: Decision): string[] {
  const { rules, calls, responses, paused } = decision
  const of = (keys: readonly string[]) => rules.find(({ key }) => keys.includes(key))
  const sent = responses.map(({ call, result, message, status }) => {
    const verbs = OTHERS[call.endpoint] ?? (asksToWait(call) ? LATER : VERBS[call.action])
    const isDone = result === 'done' || result === 'already'
    return sayOutcome(of(call.rules), call.action, verbs, isDone ? undefined : `${words(result)}, ${message ?? status}`)
  })
  const held = heldActions(decision).map(({ rule, action }) =>
    sayOutcome(
      rule,
      action.action,
      action.queue === undefined ? VERBS[action.action] : ENTER,
      `${action.result}, ${sayHeld(action)}`,
    ),
  )
  const unsent = calls.length - responses.length
  const all = [
    ...(paused === undefined ? [] : [`Paused: ${paused}`]),
    ...sent,
    ...held,
    ...(unsent > 0 ? [`${count(unsent, 'call')} not sent`] : []),
  ]
  if (all.length > 0) return [...new Set(all)]
  const reasons = blockersOf(decision).map(sayReason)
  return [reasons.length === 0 ? 'Nothing to do' : `Not merged: ${joined(reasons)}`]
}

/** `held`: why it was not done. */
function sayOutcome(
  rule: RuleTrace | undefined,
  action: string,
  [verb, past]: Verbs = [`do “${words(action)}”`, `${words(action)} done`],
  held?: string,
): string {
  const isCommand = rule !== undefined && leaves(rule.conditions).some(({ condition }) => condition === 'command')
  const who = isCommand ? rule.event?.event.actor.username : undefined
  if (who !== undefined) return `${who} asked to ${verb}: ${held ?? 'done'}`
  const by = rule && `rule ${JSON.stringify(rule.name)}`
  if (held !== undefined) return `${by === undefined ? 'Asked' : `R${by.slice(1)} asked`} to ${verb}: ${held}`
  return `${past}${by === undefined ? '' : ` by ${by}`}`.replace(/^./, (first) => first.toUpperCase())
}
