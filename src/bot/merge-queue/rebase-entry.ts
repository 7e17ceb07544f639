// Makes a build of `test: rebase`: the service rebases the merge request onto the target, and its own pipeline runs.
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../client/errors.ts'
import type { EntryRef, MergeQueueStep } from '../../merge-queue/types.ts'
import { isOwn } from '../../rules/facts/definition/access.ts'
import { pushesBetween } from '../../rules/facts/definition/push-history.ts'
import { ranInTarget } from '../../rules/facts/definition/select-pipeline.ts'
import type { ContentVerdict } from '../evaluation/branch-history.ts'
import { type QueuedRequest, readRequest } from './observe-rebased.ts'
import { pipelineStatus } from './pipelines.ts'
import { type BuildOutcome, evaluate, type QueueRun } from './queue-run.ts'

const pollMs = 500
/** After that, the next look goes on. */
const longestRebaseMs = 60_000
/** How long the hook of the rebase's push may take: it tells evaluations that Bellhop moved the head. */
const pushSeenWithinMs = 20_000

/** Throws what client, journal and queue throw. */
export async function rebaseEntry(
  run: QueueRun,
  { members: [member], onto }: MergeQueueStep & { do: 'build' },
): Promise<BuildOutcome> {
  if (member === undefined) throw new Error('a build of a merge queue has no members')
  const before = await readRequest(run, member.iid)
  if (before?.state !== 'opened') return waitForEvaluation(run, member)
  // Where it has another head, the target moved during a rebase, a run was interrupted, or somebody pushed.
  if (before.rebase_in_progress !== true) {
    const content = await contentOf(run, member, before)
    if (content === 'pushed') return waitForEvaluation(run, member)
    if (content === 'changed') return leaves(member, 'content_changed')
    const head = await headOn(run, onto, before)
    if (head !== undefined) {
      await retryPipeline(run, before)
      return made(head)
    }
    const refused = await requestRebase(run, member)
    if (refused === 'for_now') return waitForEvaluation(run, member)
    if (refused === 'by_rights') return leaves(member, 'rebase_refused')
  }
  const after = await rebased(run, member, before)
  if (after === undefined) return waitForEvaluation(run, member)
  if (after.sha === before.sha && typeof after.merge_error === 'string')
    return { is: 'conflict', member, with: 'target' }
  const content = await contentOf(run, member, after)
  if (content === 'changed') return leaves(member, 'content_changed')
  const head = content === 'pushed' ? undefined : await headOn(run, onto, after)
  return head === undefined ? waitForEvaluation(run, member) : made(head)
}

/** What rebases made of the entry's head. `pushed`: somebody pushed another one; that is another entry. */
async function contentOf(
  run: QueueRun,
  { head }: EntryRef,
  { sha, source_project_id: project, source_branch: branch, target_branch: target }: QueuedRequest,
): Promise<ContentVerdict | 'pushed'> {
  if (sha === head) return 'same'
  if (typeof sha !== 'string' || typeof project !== 'number' || typeof branch !== 'string') return 'pushed'
  const { journal, queue, path, service } = run
  const bot = await run.botUser()
  const pushes = pushesBetween(head, sha, await journal.pushes.list({ project, branch }))
  if (pushes?.some(({ by }) => !isOwn({ actor: by }, bot)) === true || target !== queue.target) return 'pushed'
  const content = await service.compareContent({ id: queue.project, path }, { target, before: head, after: sha })
  // Its hook may be lost: then a person may have pushed the change.
  return pushes === undefined && content === 'changed' ? 'pushed' : content
}

/** Its head, if that is on top of the commit. */
const headOn = async ({ repository }: QueueRun, onto: string, { sha }: QueuedRequest): Promise<string | undefined> =>
  typeof sha === 'string' && (await repository.isAncestor(onto, sha)) ? sha : undefined

const leaves = (member: EntryRef, reason: 'content_changed' | 'rebase_refused'): BuildOutcome => ({
  is: 'untestable',
  members: [member],
  reason,
})

const made = (head: string): BuildOutcome => ({ commit: head, tree: head })

async function requestRebase(
  { client, queue, claim }: QueueRun,
  { iid }: EntryRef,
): Promise<'for_now' | 'by_rights' | undefined> {
  try {
    const ids = { id: queue.project, merge_request_iid: iid }
    await client.mergeRequests.rebase(ids, { noRetry: true, beforeRequest: claim })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.status === 409) return 'for_now'
    if (error.status === 403) return 'by_rights'
    throw error
  }
}

/** Once the rebase has ended, and Bellhop has seen its push; undefined if it takes too long. */
async function rebased(run: QueueRun, member: EntryRef, before: QueuedRequest): Promise<QueuedRequest | undefined> {
  const since = run.now()
  for (;;) {
    await sleep(pollMs)
    await run.claim()
    const request = await readRequest(run, member.iid)
    const passed = run.now() - since
    if (request === undefined) return undefined
    if (request.rebase_in_progress !== true && (passed > pushSeenWithinMs || (await isPushSeen(run, before, request))))
      return request
    if (passed > longestRebaseMs) return undefined
  }
}

async function isPushSeen(
  { journal }: QueueRun,
  before: QueuedRequest,
  { sha, source_project_id: project, source_branch: branch }: QueuedRequest,
): Promise<boolean> {
  if (sha === before.sha || typeof project !== 'number' || typeof branch !== 'string') return true
  const pushes = await journal.pushes.list({ project, branch })
  return pushes.some(({ to }) => to === sha)
}

/** In case this is a further attempt: a failed pipeline runs again. */
async function retryPipeline({ client, queue, claim }: QueueRun, request: QueuedRequest): Promise<void> {
  const { head_pipeline, sha } = request
  if (head_pipeline?.id === undefined || head_pipeline.sha !== sha) return
  if (ranInTarget(request, head_pipeline) !== true) return
  if (pipelineStatus(head_pipeline.status) !== 'failed') return
  const params = { id: queue.project, pipeline_id: head_pipeline.id }
  await client.repository.pipelines.retry(params, { beforeRequest: claim })
}

/** It is another one now, or somebody rebases it. */
async function waitForEvaluation(run: QueueRun, member: EntryRef): Promise<BuildOutcome> {
  await evaluate(run, member.iid)
  return { is: 'late', members: [member], reason: 'not_rebased' }
}
