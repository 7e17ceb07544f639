// Which events wake a merge queue: the ends of its pipelines, pushes to its target, and a red target that is green.
import type { KnownMergeRequest } from '../../journal/tables/merge-requests.ts'
import type { MergeQueueRef } from '../../journal/types.ts'
import { isQueueBranch } from '../../merge-queue/queue-branches.ts'
import type { Event } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueMergeQueue } from '../queues.ts'

/** A pipeline that only began changes nothing. */
const ends: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped', 'manual'])

/** Enqueues the merge queues that the event may concern. Throws JournalUnavailable and QueueUnavailable. */
export async function wakeMergeQueues(
  { journal, queues }: Context,
  { kind, project, ref, pipeline }: Pick<Event, 'kind' | 'project' | 'ref' | 'pipeline'>,
): Promise<void> {
  if (project === undefined || ref === undefined) return
  const isOwn = isQueueBranch(ref)
  // What somebody pushes to a branch of the queue does not count, and the queue's own pushes are most of them.
  const isEnded = pipeline !== undefined && ends.has(pipeline.status)
  const concerns = isOwn ? pipeline !== undefined : kind === 'push' || pipeline?.status === 'success'
  if (!concerns) return
  const all = (await journal.mergeQueues.all()).filter((each) => each.project === project)
  /** The first pipeline of a build, which its note tells; or a green one of a target that is red. */
  const waitsFor = async (queue: MergeQueueRef) => {
    const { builds = [], paused } = (await journal.mergeQueues.find(queue)) ?? {}
    if (!isOwn) return paused?.reason === 'target_red'
    const attempts = builds.flatMap((build) => build.attempts)
    return attempts.some(({ number, pipeline: known }) => known === undefined && ref.endsWith(`/${number}`))
  }
  for (const queue of all.filter(({ target }) => isOwn || target === ref)) {
    if ((isOwn ? isEnded : kind === 'push') || (await waitsFor(queue)))
      await enqueueMergeQueue(queues.mergeQueues, queue)
  }
}

/** Enqueues the merge queues that rebased one of these and wait for its pipeline. Throws as `wakeMergeQueues`. */
export async function wakeQueuesOf(
  { journal, queues }: Context,
  { kind, pipeline }: Pick<Event, 'kind' | 'pipeline'>,
  mergeRequests: readonly KnownMergeRequest[],
): Promise<void> {
  const mayChange = kind.startsWith('merge_request.') || (pipeline !== undefined && ends.has(pipeline.status))
  if (!mayChange) return
  for (const { ref, queueTargets } of mergeRequests)
    for (const target of queueTargets) {
      const queue = { project: ref.project, target }
      const builds = (await journal.mergeQueues.find(queue))?.builds ?? []
      const isOf = builds.some(
        ({ commit, tree, members }) => commit === tree && members.some(({ iid }) => iid === ref.iid),
      )
      if (isOf) await enqueueMergeQueue(queues.mergeQueues, queue)
    }
}

/** Enqueues every merge queue, as after lost hooks. Throws JournalUnavailable and QueueUnavailable. */
export async function wakeAllMergeQueues({ journal, queues }: Context): Promise<void> {
  for (const queue of await journal.mergeQueues.all()) await enqueueMergeQueue(queues.mergeQueues, queue)
}
