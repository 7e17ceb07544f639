// Makes a build of `test: rebase`: the service rebases the merge request onto the target, and its own pipeline runs.
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../client/errors.ts'
import type { EntryRef, MergeQueueStep } from '../../merge-queue/types.ts'
import { isOwn } from '../../rules/facts/definition/access.ts'
import { ranInTarget } from '../../rules/facts/definition/select-pipeline.ts'
import { pushesBetween } from '../../rules/facts/people.ts'
import type { ContentVerdict } from '../evaluation/branch-history.ts'
import { type QueuedRequest, readRequest } from './observe-rebased.ts'
import { pipelineStatus } from './pipelines.ts'
import { evaluate, type QueueRun } from './queue-run.ts'

const pollMs = 500
/** After that, the next look goes on. */
const longestRebaseMs = 60_000
/** How long the hook of the rebase's push may take: it tells evaluations that Bellhop moved the head. */
const pushSeenWithinMs = 20_000

/** Throws what client, journal and queue throw. */
export async function rebaseEntry(run: QueueRun, step: MergeQueueStep & { do: 'build' }): Promise<void> {
  const [member] = step.members
  if (member === undefined) return
  const { attempt, onto } = step
  const before = await readRequest(run, member.iid)
  if (before?.state !== 'opened') return waitForEvaluation(run, attempt, member)
  // Where it has another head, the target moved during a rebase, a run was interrupted, or somebody pushed.
  if (before.rebase_in_progress !== true) {
    const content = await contentOf(run, member, before)
    if (content === 'pushed') return waitForEvaluation(run, attempt, member)
    if (content === 'changed') return leave(run, attempt, { member, reason: 'content_changed' })
    const head = await headOn(run, onto, before)
    if (head !== undefined) {
      await retryPipeline(run, before)
      return finish(run, attempt, head)
    }
    const refused = await requestRebase(run, member)
    if (refused === 'for_now') return waitForEvaluation(run, attempt, member)
    if (refused === 'by_rights') return leave(run, attempt, { member, reason: 'rebase_refused' })
  }
  const after = await rebased(run, member, before)
  if (after === undefined) return waitForEvaluation(run, attempt, member)
  if (after.sha === before.sha && typeof after.merge_error === 'string') {
    run.found.set(attempt, { is: 'conflict', member, with: 'target' })
    return
  }
  const content = await contentOf(run, member, after)
  if (content === 'changed') return leave(run, attempt, { member, reason: 'content_changed' })
  const head = content === 'pushed' ? undefined : await headOn(run, onto, after)
  if (head === undefined) await waitForEvaluation(run, attempt, member)
  else finish(run, attempt, head)
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

function leave(
  run: QueueRun,
  attempt: number,
  { member, reason }: { member: EntryRef; reason: 'content_changed' | 'rebase_refused' },
): void {
  run.found.set(attempt, { is: 'untestable', members: [member], reason })
}

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

function finish(run: QueueRun, attempt: number, head: string): void {
  run.made.set(attempt, { commit: head, tree: head })
  run.counting?.mergeQueue({ is: 'built' })
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
async function waitForEvaluation(run: QueueRun, attempt: number, member: EntryRef): Promise<void> {
  await evaluate(run, member.iid)
  run.found.set(attempt, { is: 'late', members: [member], reason: 'not_rebased' })
}
