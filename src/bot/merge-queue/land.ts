// Lands a build: by the merge request's own accept call, or by a push of the tested commit.
import { ServiceError } from '../../client/errors.ts'
import type { Landing } from '../../merge-queue/types.ts'
import { SETTLING } from '../../rules/actions/definition/accept-conditions.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { oneLine } from '../../rules/language/values/wording.ts'
import { StaleCheckError } from '../evaluation/act.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { areStillRequested } from './check-landing.ts'
import { noteLandedRebased } from './notes.ts'
import { entered, evaluate, type QueueRun } from './queue-run.ts'

/** The service may be behind its own state. */
const transientForMs = 10 * 60_000
const lookAgainMs = 2_000
const refusals: ReadonlySet<number> = new Set([400, 405, 406, 422])
const settling: ReadonlySet<string> = new Set([...SETTLING, 'ci_still_running'])

/**
 * Lands if the target is still what the build was made on, and the rules still request every member; else nothing is
 * sent. `isFirst`: nobody requested it before. Throws what client, journal and git throw.
 */
export async function land(run: QueueRun, landing: Landing, isFirst: boolean): Promise<void> {
  const { repository, queue, claim, checked = [] } = run
  await claim()
  const isAsTested = (await repository.headOf(queue.target)) === landing.from.commit
  const isWhole = checked.length === landing.members.length && landing.members.every(await entered(run))
  // Last: nothing slow may come between this look and the landing.
  if (isAsTested && isWhole && (await areStillRequested(run, checked))) {
    try {
      if (landing.by !== 'push') return await accept(run, landing)
      await inTime(claim)
      const pushed = await repository.pushTarget(queue.target, landing.commit, landing.from.commit)
      if (typeof pushed !== 'string') run.refused = { because: 'project', words: pushed.words }
      return
    } catch (error) {
      if (!(error instanceof StaleCheckError)) throw error
    }
  }
  if (isFirst) run.isUnsent = true
}

/** Throws StaleCheckError if the claim asked the backend: that may have taken long. */
async function inTime(claim: QueueRun['claim']): Promise<void> {
  if (await claim()) throw new StaleCheckError()
}

async function accept(run: QueueRun, { members, since }: Landing): Promise<void> {
  const { client, queue, entries, claim } = run
  const [member] = members
  if (member === undefined) return
  const ids = { id: queue.project, merge_request_iid: member.iid }
  const entry = entries.find(({ iid }) => iid === member.iid)
  try {
    const { body } = await client.mergeRequests.accept(
      {
        ...ids,
        sha: member.head,
        squash: entry?.squash,
        should_remove_source_branch: entry?.removeSourceBranch,
      },
      { noRetry: true, beforeRequest: () => inTime(claim) },
    )
    if (body.state === 'merged') run.merged = body
    else run.waitMs = lookAgainMs
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const words = error.serviceMessage && oneLine(error.serviceMessage)
    if (error.missingPermission) run.refused = { because: 'project', words }
    else if (error.status === 409) await waitForEvaluation(run, member.iid)
    else if (refusals.has(error.status ?? 0)) {
      const { body } = await client.mergeRequests.get(ids, { bypassCache: true })
      const { state, draft, sha, detailed_merge_status: status } = body
      // Somebody changed it in that moment.
      const isOver = state === 'merged' || state === 'closed' || draft === true || status === 'conflict'
      if (isOver || sha !== member.head) return waitForEvaluation(run, member.iid)
      const isSettling = typeof status === 'string' && settling.has(status) && run.now() - since < transientForMs
      if (isSettling) run.waitMs = lookAgainMs
      else run.refused = { because: 'merge_request', words }
    } else throw error
  }
}

/** It is another one now, as its own evaluation finds: the service answered, so the request has no effect later. */
async function waitForEvaluation(run: QueueRun, iid: number): Promise<void> {
  run.isUnsent = true
  await evaluate(run, iid)
  run.waitMs = lookAgainMs
}

/**
 * Closes what a push landed as other commits: a service counts only those as merged whose heads the target has. Throws
 * what client, journal and git throw, except if the service does not let the bot close.
 */
export async function closeLanded(run: QueueRun, { by, members, commit }: Landing): Promise<void> {
  if (by !== 'push') return
  const { client, queue, path, repository, claim, log } = run
  // Without those that were pushed to since: their new heads have not landed.
  const present = await repository.fetchHeads(members)
  for (const { iid, head } of members.filter((each) => present.get(each.head) === 'there')) {
    if (await repository.isAncestor(head, commit)) continue
    const ids = { id: queue.project, merge_request_iid: iid }
    const { body } = await client.mergeRequests.get(ids, { bypassCache: true })
    // With another target branch, it is another request by now.
    if (body.state !== 'opened' || body.sha !== head || body.target_branch !== queue.target) continue
    await noteLandedRebased(run, iid, commit)
    try {
      await client.mergeRequests.update({ ...ids, state_event: 'close' }, { beforeRequest: claim })
    } catch (error) {
      if (!isPermanentRefusal(error)) throw error
      const name = refName({ project: queue.project, iid, path })
      const reason = error.message
      log.warn({ event: 'queue_landed_not_closed', mergeRequest: name, reason }, 'what landed was not closed')
    }
  }
}
