// Observes the build of `test: rebase`: the head of the merge request, and its own pipeline.
import type { Client } from '../../client/create-client.ts'
import { isSame } from '../../merge-queue/mutable-plan.ts'
import type { AttemptState, Observed } from '../../merge-queue/observed.ts'
import type { Landing, MergeQueueRecord } from '../../merge-queue/types.ts'
import { ranInTarget } from '../../rules/facts/definition/select-pipeline.ts'
import { ifNotFound } from '../service/retry-policy.ts'
import { pipelineStatus, type QueuePipeline } from './pipelines.ts'
import { withSkipped } from './project.ts'
import { evaluate, type MergedCommits, type QueueRun } from './queue-run.ts'

export type QueuedRequest = Awaited<ReturnType<Client['mergeRequests']['get']>>['body']

/** As it is now; undefined if somebody deleted it. Throws what the client throws. */
export async function readRequest({ client, queue }: QueueRun, iid: number): Promise<QueuedRequest | undefined> {
  const ids = { id: queue.project, merge_request_iid: iid, include_rebase_in_progress: true }
  const found = await client.mergeRequests.get(ids, { bypassCache: true }).catch(ifNotFound(undefined))
  return found?.body
}

const mergedResult = /^refs\/merge-requests\/\d+\/merge$/

/** Throws what client and queue throw. */
export async function rebasedAttempts(run: QueueRun, { builds }: MergeQueueRecord): Promise<Map<number, AttemptState>> {
  const states = new Map<number, AttemptState>(run.found)
  const [member] = builds[0]?.members ?? []
  const attempt = builds[0]?.attempts.at(-1)
  const commit = attempt?.commit ?? run.made.get(attempt?.number ?? 0)?.commit
  if (member === undefined || attempt === undefined || attempt.failed !== undefined || commit === undefined)
    return states
  const request = await readRequest(run, member.iid)
  if (request?.sha !== commit || request.state === 'closed') return states.set(attempt.number, { is: 'foreign' })
  const pipeline = await withSkipped(run, ownPipeline(request, commit))
  if (pipeline.id !== undefined) run.pipelines.set(attempt.number, pipeline)
  const isEntered = run.entries.some((entry) => isSame(entry, { iid: member.iid, head: commit }))
  // In case the hook was lost.
  const isGreen = [pipeline.status, request.head_pipeline?.status].includes('success')
  if (isGreen && !isEntered) await evaluate(run, member.iid)
  // Its own evaluation requires a green pipeline, or says that none is needed.
  const { status: own } = pipeline
  const status = isEntered ? 'success' : own === 'skipped' ? 'failed' : own
  return states.set(attempt.number, { is: 'made', commit, tree: commit, pipeline: status })
}

function ownPipeline(request: QueuedRequest, head: string): QueuePipeline {
  const { head_pipeline: pipeline } = request
  if (pipeline === undefined || pipeline === null) return { status: 'none' }
  // It may be of a fork: the evaluation finds out whether a rule takes it.
  if (ranInTarget(request, pipeline) !== true) return { status: 'running' }
  // A pipeline of merged results is of another commit: the evaluation finds out of which.
  if (pipeline.sha !== head) return { status: mergedResult.test(pipeline.ref ?? '') ? 'running' : 'none' }
  const url = typeof pipeline.web_url === 'string' ? { url: pipeline.web_url } : {}
  return {
    id: pipeline.id,
    ...url,
    status: pipelineStatus(pipeline.status),
  }
}

/** What landed, by the parents of its commit: the API shows no trees. */
export async function rebasedOutcome(
  { repository, queue }: QueueRun,
  { from, tree, commit: head }: Landing,
  body: MergedCommits,
): Promise<Observed['landing']> {
  const commit = [body.merge_commit_sha, body.squash_commit_sha].find((sha) => typeof sha === 'string')
  const unknown = { is: 'landed', tree: '', onto: '' } as const
  if (typeof commit !== 'string' || commit === head) {
    // A fast-forward: the target has the head itself.
    const target = await repository.headOf(queue.target)
    const isThere = target !== undefined && (target === head || (await repository.isAncestor(head, target)))
    return isThere ? { is: 'landed', tree, onto: from.commit } : unknown
  }
  const [onto = '', ...others] = await repository.parentsOf(commit)
  const isOfHead = others.every((each) => each === head || each === body.squash_commit_sha)
  return isOfHead ? { is: 'landed', tree, onto } : unknown
}
