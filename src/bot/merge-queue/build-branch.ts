// Makes the branch of an attempt: its members, one on the other, as the project merges, and one push.
import { isSame } from '../../merge-queue/draft.ts'
import type { Entry, EntryRef, MergeQueueStep } from '../../merge-queue/types.ts'
import { enqueueEvaluation } from '../evaluation/merge-request-job.ts'
import { openDraft } from './draft-requests.ts'
import type { BranchHead } from './git/repository.ts'
import type { QueueRun } from './queue-run.ts'

type BuildStep = MergeQueueStep & { do: 'build' }

/** Throws what git, journal and queue throw. */
export async function buildBranch(run: QueueRun, step: BuildStep): Promise<void> {
  const { repository, queue, mergeRequests, made, found, prefix } = run
  const there = await repository.fetchHeads(step.members)
  const late = step.members.filter(({ head }) => !there.has(head))
  // Its head may be another one now, which its own evaluation finds.
  for (const { iid } of late)
    await enqueueEvaluation(mergeRequests, { service: queue.service, project: queue.project, iid })
  if (late.length > 0) {
    found.set(step.attempt, { is: 'late', members: late, reason: 'head_missing' })
    return
  }
  const built = await mergeMembers(run, step)
  if ('conflict' in built) {
    const against = await conflictsWithTarget(run, built.conflict)
    found.set(step.attempt, { is: 'conflict', member: built.conflict, with: against ? 'target' : 'queue' })
    return
  }
  await run.claim()
  const branch = `${prefix}${step.attempt}`
  const pushed = await repository.pushBranch(branch, built.commit)
  if (pushed !== 'pushed') {
    found.set(step.attempt, { is: pushed === 'taken' ? 'foreign' : 'refused' })
    return
  }
  if (run.settings.pipelines === 'merge_request' && !(await openDraft(run, branch, step.members))) {
    found.set(step.attempt, { is: 'refused' })
    return
  }
  made.set(step.attempt, built)
  run.counting?.mergeQueue({ is: 'built' })
}

async function mergeMembers(run: QueueRun, step: BuildStep): Promise<BranchHead | { conflict: EntryRef }> {
  let onto = step.onto
  let head: BranchHead | undefined
  for (const member of step.members) {
    const result = await run.repository.build({
      onto,
      head: member.head,
      message: messageOf(run, step, member),
      method: methodOf(run),
      ...(await squashOf(run, step, member)),
      at: Math.floor(timeOf(run.entries, step.members) / 1000),
    })
    if (result.is === 'conflict') return { conflict: member }
    head = { commit: result.commit, tree: result.tree }
    onto = result.commit
  }
  if (head === undefined) throw new Error(`attempt ${step.attempt} of a merge queue has no members`)
  return head
}

const methodOf = ({ project }: QueueRun) => project?.merge_method ?? 'merge'

/** The message of the squashed commit, where the entry is to be squashed. */
async function squashOf(run: QueueRun, step: BuildStep, member: EntryRef): Promise<{ squash?: string }> {
  const { client, queue, entries } = run
  if (methodOf(run) === 'merge' || entries.find((entry) => isSame(entry, member))?.squash !== true) return {}
  const { body } = await client.mergeRequests.get({ id: queue.project, merge_request_iid: member.iid })
  return { squash: [body.title, '', ...trailer(step, member)].join('\n') }
}

/** The same for each run, so that a build that was interrupted gets the same commit. */
function timeOf(entries: readonly Entry[], members: readonly EntryRef[]): number {
  return Math.max(
    ...entries.filter((entry) => members.some(({ iid }) => iid === entry.iid)).map(({ since }) => since),
    0,
  )
}

function messageOf({ queue }: QueueRun, step: BuildStep, member: EntryRef): string {
  const title = `Merge !${member.iid} (${member.head.slice(0, 8)}) into ${queue.target}`
  return [title, '', ...trailer(step, member)].join('\n')
}

function trailer({ attempt, onto, members }: BuildStep, { iid }: EntryRef): string[] {
  const entries = members.map((each) => `!${each.iid}@${each.head}`).join(',')
  return [`See merge request !${iid}`, '', `Bellhop-Queue: ${attempt} base=${onto} entries=${entries}`]
}

async function conflictsWithTarget(run: QueueRun, { head }: EntryRef): Promise<boolean> {
  const { repository, queue, prefix } = run
  const { target } = await repository.heads(queue.target, prefix)
  if (target === undefined) return false
  const message = 'Compare with the target'
  const alone = await repository.build({ onto: target.commit, head, message, method: methodOf(run), at: 0 })
  return alone.is === 'conflict'
}
