// Builds the input of decide: what is known before the service is asked.
import { isDeepStrictEqual } from 'node:util'
import type { Journal } from '../../journal/journal.ts'
import type { MergeQueueEntry, PendingEvent } from '../../journal/types.ts'
import { entryState } from '../../merge-queue/entry-state.ts'
import { isSame } from '../../merge-queue/mutable-plan.ts'
import type { MergeQueueRecord } from '../../merge-queue/types.ts'
import { acceptMemory, type QueueEntry, type QueueRemoval } from '../../rules/actions/definition/accept-memory.ts'
import { termsOf } from '../../rules/actions/definition/queued-merge.ts'
import type { DecideInput } from '../../rules/engine/decide.ts'
import { withActivity } from '../../rules/facts/activity.ts'
import { withApprovalEvents } from '../../rules/facts/definition/consent.ts'
import type { Freeze } from '../../rules/language/values/freezes.ts'
import type { Context } from '../context.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import type { BranchHistory } from './branch-history.ts'
import type { InitialInput } from './fetch-facts.ts'
import { freezeMark } from './freezes.ts'
import { newRuleLimitOf, newRuleMarks } from './new-rule-counts.ts'
import { pausedProjectsMark } from './paused-projects.ts'
import { withoutReplays } from './record-decision.ts'

export type BuildInputState = Pick<DecideInput, 'mergeRequest' | 'memory' | 'budgets'> & {
  rules: RulesInForce
  pendingEvents: PendingEvent[]
  /** As the journal has it. */
  queueEntry: MergeQueueEntry | undefined
  /** Those of its project among `evaluationMarks`. */
  marks: Record<string, unknown>
}

/** Written once merge requests of the project are known to have pipelines of their own. */
export const pipelinesMark = 'merge request pipelines'

/** The marks that an evaluation needs. */
export const evaluationMarks = [pausedProjectsMark, pipelinesMark, freezeMark, ...newRuleMarks]

/** The history of branches in the journal, with content compared by git. */
export const branchHistory = (
  { journal, service }: Pick<Context, 'journal' | 'service'>,
  project: { id: number; path: string },
): BranchHistory => ({
  journal,
  isSameContent: async (rebase) => (await service.compareContent(project, rebase)) === 'same',
})

/** Throws what journal and client throw. */
export async function buildInput(
  context: Context,
  { mergeRequest, memory, budgets, rules, pendingEvents, queueEntry, marks }: BuildInputState,
): Promise<InitialInput> {
  const [newRuleLimit, bot, entry] = await Promise.all([
    newRuleLimitOf(context, mergeRequest.project, rules, marks),
    context.botUser(),
    stateOfEntry(context, mergeRequest, memory, queueEntry),
  ])
  const events = withoutReplays(pendingEvents).map(({ deliveryId, event }) => ({ id: deliveryId, event }))
  const at = new Date(context.now()).toISOString()
  return {
    files: rules.files,
    policy: rules.policy,
    newRuleLimit,
    freeze: marks[freezeMark] as Freeze | undefined,
    queueEntry: entry,
    mergeRequest,
    budgets,
    memory: withApprovalEvents(withActivity(memory, events, bot), events),
    events,
    now: at,
    bot,
    offLabel: context.operator.offLabel,
    withoutServer: context.operator.withoutServer,
    page: pageOf(context, mergeRequest),
    project: { mergeRequestPipelines: marks[pipelinesMark] !== undefined },
  }
}

/** The page of the dashboard about a merge request. */
const pageOf = ({ operator: { publicUrl } }: Context, { project, iid }: DecideInput['mergeRequest']) =>
  publicUrl === undefined ? undefined : `${publicUrl}/admin/merge-requests/${project}/${iid}`

/** What the merge queue says of its entry; undefined if it has none. */
async function stateOfEntry(
  { journal, now }: Context,
  mergeRequest: DecideInput['mergeRequest'],
  memory: DecideInput['memory'],
  stored: MergeQueueEntry | undefined,
): Promise<DecideInput['queueEntry']> {
  const { queued, queueRemoval } = acceptMemory(memory)
  const target = queued?.target ?? queueRemoval?.target
  if (target === undefined) return undefined
  const { project, iid } = mergeRequest
  const queue = { project, target }
  const record = await journal.mergeQueues.find(queue)
  const returned = isReturned(record, iid, queueRemoval) ? ({ returned: true } as const) : {}
  if (queued === undefined) return returned
  const entries = await journal.mergeQueues.entries(queue)
  const state = record && entryState(record, entries, { entry: { iid, head: queued.sha }, target, now: now() })
  return { ...state, ...returned, ...(isSameEntry(stored, queued) ? {} : { lost: true }) }
}

const isReturned = (record: MergeQueueRecord | undefined, iid: number, removal: QueueRemoval | undefined) =>
  record?.returned?.some(
    ({ member, at }) => isSame(member, { iid, head: removal?.sha ?? '' }) && new Date(at).toISOString() === removal?.at,
  ) === true

/** Memory is stored before its entry: a process may have ended in between. */
function isSameEntry(stored: MergeQueueEntry | undefined, queued: QueueEntry) {
  if (stored === undefined) return false
  const { iid: _iid, since: _since, ...terms } = stored
  return isDeepStrictEqual(terms, termsOf(queued))
}

/** Longer than a rebase takes; then it was interrupted. */
const longestRebaseMs = 2 * 60_000

/**
 * Whether a merge queue is rebasing it: until its new head is known, nothing is decided. A queue that found it late
 * waits for its evaluation instead. Throws JournalUnavailable.
 */
export async function isBeingRebased(
  journal: Journal,
  { project, iid }: DecideInput['mergeRequest'],
  memory: DecideInput['memory'] | undefined,
  now: number,
): Promise<boolean> {
  const { queued } = acceptMemory(memory ?? {})
  if (queued === undefined) return false
  const record = await journal.mergeQueues.find({ project, target: queued.target })
  const builds = record?.builds.filter(({ members }) => members.some((member) => member.iid === iid)) ?? []
  return builds.some(({ attempts }) =>
    attempts.some(
      ({ since, commit, lateSince }) =>
        since !== undefined && commit === undefined && lateSince === undefined && now - since < longestRebaseMs,
    ),
  )
}
