// The arguments and the conditions of accept: what must be true before it merges, and when to look again.

import { knownIn } from '../../facts/definition/fact.ts'
import { UNFINISHED } from '../../facts/definition/select-pipeline.ts'
import type { FactName } from '../../facts/index.ts'
import type { FactReader } from '../../facts/reading/fact-view.ts'
import { requiredIn } from '../../language/conditions.ts'
import { queueName } from '../../language/queues.ts'
import type { Condition, Json } from '../../language/values/rule-types.ts'
import { bool, choice, described, fields, isMap, refuse, type Shape } from '../../language/values/shapes.ts'
import type { Trace } from '../../types.ts'
import { type ActionOutcome, blockedBy, nothingToDo, type UnmetConditions } from './action.ts'

const MERGEABLE = ['mergeable', 'can_be_merged']
/** The checks that `when: checks_pass` waits for on GitLab; conflicts and a needed rebase are none of them. */
const PENDING_CHECKS = [
  ...['ci_still_running', 'ci_must_pass', 'not_approved', 'draft_status', 'discussions_not_resolved'],
  ...['merge_request_blocked', 'blocked_status', 'requested_changes', 'status_checks_must_pass'],
  ...['external_status_checks', 'jira_association_missing', 'merge_time', 'locked_paths', 'locked_lfs_files'],
  ...['security_policy_violations', 'security_policy_pipeline_check', 'policies_denied'],
]
/** Values of mergeability that change by themselves. */
export const SETTLING = [
  ...['checking', 'unchecked', 'preparing', 'approvals_syncing'],
  ...['cannot_be_merged_recheck', 'cannot_be_merged_rechecking'],
]
const BEHIND = 'need_rebase'
/** States that may enter a queue, which tests the merge request on top of others. */
const MAY_QUEUE = [...SETTLING, BEHIND]
const untilEvent = Object.fromEntries(['none', ...UNFINISHED].map((status) => [status, 'event' as const]))
/** Values that the service changes by itself: after how many ms to read them again, or `event` if one follows. */
const TRANSIENT: Record<string, Record<string, number | 'event'>> = {
  state: { locked: 2000 },
  mergeability: Object.fromEntries([...SETTLING, 'ci_still_running'].map((status) => [status, 2000])),
  pipeline: untilEvent,
  pipeline_of_fork: untilEvent,
}

const isOpen: Condition = { fact: 'state', operator: 'equals', expected: 'opened' }
const isReady: Condition = { fact: 'draft', operator: 'equals', expected: false }
/** The service closes issues with the rights of the user who merges. */
export const closesNoHidden: Condition = { fact: 'closes_hidden_issues', operator: 'equals', expected: false }
const mergeability = (expected: string[]): Condition => ({ fact: 'mergeability', operator: 'one_of', expected })

/**
 * A skipped pipeline counts if the project says so. The service would wait for the newest pipeline, even if it is the
 * fork's. If the fork's pipeline does not count, Bellhop waits instead.
 */
function pipelineConditions(args: AcceptArgs, view?: Pick<FactReader, 'fact'>): Condition[] {
  if (args.pipeline === 'none') return []
  const fact = pipelineFact(args)
  const isOwn = view === undefined || knownIn(view.fact('from_fork')) === false
  const mayWait = args.when !== undefined && (isOwn || args.pipeline === 'of_fork')
  if (knownIn(view?.fact(fact)) === 'skipped')
    return [{ fact: 'allow_merge_on_skipped_pipeline', operator: 'equals', expected: true }]
  const may = [...(mayWait ? UNFINISHED : []), ...(view === undefined ? ['skipped'] : [])]
  return may.length === 0
    ? [{ fact, operator: 'equals', expected: 'success' }]
    : [{ fact, operator: 'one_of', expected: ['success', ...may] }]
}

/** For a merge request behind its target, which a merge train rebases. An unread setting is read first. */
function behindConditions({ queue }: AcceptArgs, view?: Pick<FactReader, 'fact'>): Condition[] | undefined {
  if (queue !== undefined || knownIn(view?.fact('mergeability')) !== BEHIND) return undefined
  const trains = view?.fact('merge_trains_enabled')
  const mayRebase = trains?.is === 'unread' || knownIn(trains) === true
  return mayRebase
    ? [mergeability([BEHIND]), { fact: 'merge_trains_enabled', operator: 'equals', expected: true }]
    : undefined
}

/**
 * A linear project may rebase at the merge what is behind its target: no rule saw that content. A merge train tests it.
 * Fails closed if the service does not say whether it rebases: older versions rebase without saying so.
 */
function onTargetConditions({ queue }: AcceptArgs, view?: Pick<FactReader, 'fact'>): Condition[] {
  const is = (name: FactName, value: Json) => knownIn(view?.fact(name)) === value
  const isLinear = is('merge_method', 'ff') || is('merge_method', 'rebase_merge')
  const rebases = isLinear && !is('merge_trains_enabled', true) && !is('automatic_rebase_enabled', false)
  return queue === undefined && rebases ? [{ fact: 'commits_behind', operator: 'equals', expected: 0 }] : []
}

/** The pipeline comes first: mergeability depends on it. Its fact counts only the head's (facts/pipeline.ts). */
export function requiredFor(args: AcceptArgs, view?: Pick<FactReader, 'fact'>): Condition[] {
  const whole = pipelineConditions(args, view)
  const behind = behindConditions(args, view)
  if (behind !== undefined) return [isOpen, ...(args.when === 'checks_pass' ? [] : [isReady]), ...whole, ...behind]
  const onTarget = onTargetConditions(args, view)
  if (args.when === 'checks_pass')
    return [isOpen, ...whole, mergeability([...MERGEABLE, ...PENDING_CHECKS]), ...onTarget]
  if (args.when === 'pipeline_succeeds')
    return [isOpen, isReady, ...whole, mergeability([...MERGEABLE, 'ci_still_running', 'ci_must_pass']), ...onTarget]
  const may = [...MERGEABLE, ...(args.queue === undefined ? [] : MAY_QUEUE)]
  return [isOpen, isReady, ...whole, mergeability(may), ...onTarget]
}

/** The facts that tell whether the service is to merge later. */
export function factsToWait(args: AcceptArgs): FactName[] {
  if (args.when === undefined) return []
  return args.when === 'checks_pass' ? [pipelineFact(args), 'mergeability', 'draft'] : [pipelineFact(args)]
}

/** Whether the service is to merge later, if the conditions are true. */
export function mergesLater(args: AcceptArgs, fact: (name: FactName) => Json | undefined): boolean {
  const { when } = args
  if (when === undefined) return false
  if (UNFINISHED.includes(String(fact(pipelineFact(args))))) return true
  return (
    when === 'checks_pass' &&
    (fact('draft') !== false || ![...MERGEABLE, BEHIND].includes(String(fact('mergeability'))))
  )
}

function readAgain(condition: Trace, value: Json | undefined): number | 'event' | undefined {
  if (condition.verdict === 'true') return 'event'
  return typeof value === 'string' ? TRANSIENT[condition.condition]?.[value] : undefined
}

/** The outcome while not all conditions are true. */
export function outcomeWhileUnmet({ trace, value }: UnmetConditions): ActionOutcome {
  if (value('state') === 'merged') return nothingToDo('it is merged')
  const unmet = (trace.children ?? []).filter((child) => child.verdict !== 'true')
  const waits = unmet.map((child) => readAgain(child, value(child.condition as FactName)))
  const stop = unmet.find((_, index) => waits[index] === undefined)
  const first = stop ?? unmet[0] ?? trace
  const detail = `${first.condition} must be ${first.expected}, it is ${first.actual}${first.toFix === undefined ? '' : `; to fix: ${first.toFix}`}`
  if (stop !== undefined) return blockedBy(detail)
  // The service itself merges it: nothing is read again until an event.
  if (value('merge_when_pipeline_succeeds') === true) return { result: 'waits', detail }
  const waitsForPipeline = unmet.some((child) => child.condition.startsWith('pipeline'))
  const delays = unmet.flatMap((child, index) => {
    const ms = waits[index]
    // The end of the pipeline brings an event: reading its mergeability again would only cost calls.
    return typeof ms !== 'number' ||
      (waitsForPipeline && value('mergeability') === 'ci_still_running' && child.condition === 'mergeability')
      ? []
      : [ms]
  })
  return { result: 'waits', detail, againInMs: delays.length === 0 ? undefined : Math.min(...delays) }
}

const options = fields({
  squash: described('Whether the commits are squashed into one.', bool),
  remove_source_branch: described('Whether the source branch is removed.', bool),
  pipeline: described(
    '`required` (the default): the pipeline of its head succeeded, in the project itself; `of_fork`: that of the fork counts too, which is meant as well where the rule’s own conditions require one `of_fork`; `none`: for projects without CI.',
    choice(['required', 'of_fork', 'none']),
  ),
  when: described(
    'The service itself waits, and merges then: for the pipeline, or for every check, such as approvals (GitLab 17.4 and later; 17.0 on GitLab.com).',
    choice(['pipeline_succeeds', 'checks_pass']),
  ),
  queue: described(
    'The merge queue of its target branch, by its name in `queues`: it is tested with what merges before it, and merged when that succeeds. Not together with `when`.',
    queueName,
  ),
})
export type AcceptArgs = NonNullable<ReturnType<typeof options.read>>

/** The fact with the status of the pipeline that counts for the merge. */
const pipelineFact = ({ pipeline }: AcceptArgs) => (pipeline === 'of_fork' ? 'pipeline_of_fork' : 'pipeline')

/** A rule whose conditions always require the fork's pipeline requires it for its merge too. */
export function withinRule(args: AcceptArgs, conditions: Condition): AcceptArgs {
  const takesForks = requiredIn(conditions).some(({ fact }) => fact === 'pipeline_of_fork')
  return takesForks ? { pipeline: 'of_fork', ...args } : args
}

/** `true` means: with the defaults. */
export const acceptArgs: Shape<AcceptArgs> = {
  expected: `true or ${options.expected}`,
  schema(context) {
    const waits = { pipeline: { const: 'none' }, when: { const: 'pipeline_succeeds' } }
    const excluded: Json[] = [{ properties: waits, required: Object.keys(waits) }, { required: ['queue', 'when'] }]
    const either: Json[] = [{ const: true }, { ...options.schema(context), not: { anyOf: excluded } }]
    return { anyOf: either }
  },
  read(value, path, issues) {
    if (value === true) return {}
    if (isMap(value)) {
      const read = options.read(value, path, issues)
      if (read?.queue !== undefined && read.when !== undefined)
        return refuse(issues, { path: [...path, 'when'], expected: 'either queue or when', found: 'both' })
      if (read?.when !== 'pipeline_succeeds' || read.pipeline !== 'none') return read
      return refuse(issues, { path: [...path, 'when'], expected: 'a pipeline to wait for', found: 'pipeline: none' })
    }
    return refuse(issues, { path, expected: this.expected })
  },
}
