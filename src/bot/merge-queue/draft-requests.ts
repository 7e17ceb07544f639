// Draft merge requests of builds, for projects with pipelines only for merge requests (`pipelines: merge_request`).
import { ServiceError } from '../../client/errors.ts'
import type { EntryRef } from '../../merge-queue/types.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { attemptOf } from './branch-names.ts'
import { type BranchCommit, countedPipeline, pipelinesOfBranches, type QueuePipeline } from './pipelines.ts'
import type { QueueRun } from './queue-run.ts'

const mostPages = 5

/** Opens the draft of a branch unless it is open. False: the service refuses it. Throws what the client throws. */
export async function openDraft(run: QueueRun, branch: string, members: readonly EntryRef[]): Promise<boolean> {
  const { client, queue, claim } = run
  const names = members.map(({ iid }) => `!${iid} on `).join(', ')
  const draft = {
    id: queue.project,
    source_branch: branch,
    target_branch: queue.target,
    title: `Draft: Merge queue: test ${names}${queue.target}`,
    description: 'Bellhop opened this to run a pipeline, and closes it when nobody needs that any more.',
  }
  const drafts = await draftsOf(run)
  if (drafts.has(branch)) return true
  try {
    const { body } = await client.mergeRequests.create(draft, { noRetry: true, beforeRequest: claim })
    if (body.iid !== undefined) drafts.set(branch, body.iid)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // It is open already: the next list has it.
    if (error.status === 409) delete run.drafts
    else if (isPermanentRefusal(error)) return false
    else throw error
  }
  return true
}

/** Closes that of a branch. Throws what the client throws. */
export async function closeDraft(run: QueueRun, branch: string): Promise<void> {
  const { client, queue, claim } = run
  const drafts = await draftsOf(run)
  const iid = drafts.get(branch)
  if (iid === undefined) return
  const ids = { id: queue.project, merge_request_iid: iid }
  await client.mergeRequests.update({ ...ids, state_event: 'close' }, { beforeRequest: claim })
  drafts.delete(branch)
}

/** Closes those whose branches are gone, once in a run. Throws what the client throws. */
export async function closeLeftovers(run: QueueRun): Promise<void> {
  if (run.drafts !== undefined) return
  for (const branch of [...(await draftsOf(run)).keys()])
    if (!run.branches.has(attemptOf(branch, run.prefix) ?? 0)) await closeDraft(run, branch)
}

/** For each commit, in order: the pipeline that counts on its branch or draft. Throws what the client throws. */
export async function pipelinesOf(run: QueueRun, wanted: readonly BranchCommit[]): Promise<QueuePipeline[]> {
  const { client, queue } = run
  if (run.settings.pipelines === 'branch') return pipelinesOfBranches(client, queue.project, wanted)
  const drafts = await draftsOf(run)
  return Promise.all(
    wanted.map(async ({ branch, commit, pipeline }) => {
      const iid = drafts.get(branch)
      if (iid === undefined) return { status: 'none' }
      const ids = { id: queue.project, merge_request_iid: iid, per_page: 100 }
      const { body } = await client.mergeRequests.pipelines(ids, { bypassCache: true })
      for (const each of body.toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0))) {
        const counted = countedPipeline([each], pipeline)
        if (counted === undefined || counted.isOutside === true) continue
        if (await isPipelineOf(run, each, commit)) return counted
      }
      return { status: 'none' }
    }),
  )
}

/** Somebody may have pushed another commit to the branch meanwhile: that has pipelines of its own. */
async function isPipelineOf(
  { client, queue }: QueueRun,
  { ref, sha }: { ref?: string | undefined; sha?: string | undefined },
  commit: string,
): Promise<boolean> {
  const [, of] = /^refs\/merge-requests\/\d+\/(head|merge)$/.exec(ref ?? '') ?? []
  if (of !== 'merge' || sha === undefined) return of === 'head' && sha === commit
  // A pipeline of merged results is of a merge of the commit into the target, whose tree is that of the commit.
  const { body } = await client.repository.commits.get({ id: queue.project, sha })
  return body.parent_ids?.includes(commit) === true
}

/** Those that Bellhop opened for this queue. */
async function draftsOf(run: QueueRun): Promise<Map<string, number>> {
  if (run.drafts !== undefined) return run.drafts
  const { client, queue, prefix } = run
  const bot = await run.botUser()
  const found = new Map<string, number>()
  const filters = { state: 'opened', scope: 'all', target_branch: queue.target, author_id: bot.id } as const
  const query = { id: queue.project, per_page: 100, ...filters }
  // A service may ignore a filter.
  for await (const { body } of client.pages(client.mergeRequests.list, query, { maxPages: mostPages }))
    for (const { iid, author, source_branch: branch = '', source_project_id: project } of body)
      if (iid !== undefined && author?.id === bot.id && project === queue.project && attemptOf(branch, prefix))
        found.set(branch, iid)
  run.drafts = found
  return found
}
