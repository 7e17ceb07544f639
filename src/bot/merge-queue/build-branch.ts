// Makes the branch of an attempt: its members, one on the other, as the project merges, and one push.
import { isSame } from '../../merge-queue/mutable-plan.ts'
import type { AttemptState } from '../../merge-queue/observed.ts'
import type { Entry, EntryRef, MergeQueueStep, RemovalReason } from '../../merge-queue/types.ts'
import { isUnsigned } from '../../merge-queue/words.ts'
import { ranInTarget } from '../../rules/facts/definition/select-pipeline.ts'
import { fillPlaces, namesIn } from '../../rules/language/templates.ts'
import { endAttempts } from './discard.ts'
import { openDraft } from './draft-requests.ts'
import type { BranchHead, BuildRequest, BuildResult, QueueRepository, RefusedPush } from './git/repository.ts'
import { GitError, type GitErrorCode } from './git/run-git.ts'
import { newNumber } from './observe.ts'
import { byItself, linkOf } from './pipelines.ts'
import { type BuildOutcome, evaluate, keepBuild, type QueueRun } from './queue-run.ts'

export type BuildStep = MergeQueueStep & { do: 'build' }
type Fetched = Awaited<ReturnType<QueueRepository['fetchHeads']>>
type Unbuilt = AttemptState & { is: 'conflict' | 'late' | 'untestable' }

/** Makes its commit, which `pushBranches` pushes. Throws what client, git, journal and queue throw. */
export async function buildBranch(run: QueueRun, step: BuildStep): Promise<BuildOutcome> {
  const { repository, settings } = run
  const heads = await repository.fetchHeads(step.members)
  const unfetched = step.members.filter(({ head }) => heads.get(head) !== 'there')
  if (unfetched.length > 0) return whyUnfetched(run, unfetched, heads)
  const built = step.members.length === 0 ? await copyTarget(run, step) : await mergeMembers(run, step)
  if ('unbuilt' in built) return compareWithTarget(run, step, built.unbuilt)
  return settings.own_pipeline && (await isTestedAlready(run, step, built)) ? { ...built, own: true } : built
}

/**
 * Makes the branches of builds in one push, which also deletes those of the attempts in `discards`; what stays of them,
 * the next look finds. Throws what client and git throw.
 */
export async function pushBranches(
  run: QueueRun,
  made: readonly { step: BuildStep; built: BranchHead }[],
  discards: readonly number[],
): Promise<void> {
  const { repository, prefix, settings } = run
  const ended = await endAttempts(run, discards)
  await run.claim()
  const branches = made.map(({ step, built }) => ({ branch: `${prefix}${step.attempt}`, commit: built.commit }))
  const pushed = await repository.pushBranches(branches, ended)
  if (pushed.includes('pushed')) for (const { number } of ended) run.branches.delete(number)
  for (const [index, { step, built }] of made.entries()) {
    const outcome = pushed[index] ?? 'taken'
    if (typeof outcome !== 'string') {
      keepBuild(run, step.attempt, await whyRefused(run, step, outcome))
      // What is behind it has its commits too, and is built again.
      return
    }
    const needsDraft = outcome === 'pushed' && settings.pipelines === 'merge_request'
    const isTested = !needsDraft || (await openDraft(run, `${prefix}${step.attempt}`, step.members))
    const whole = isTested ? built : { is: 'refused' as const }
    keepBuild(run, step.attempt, outcome === 'taken' ? { is: 'foreign' } : whole)
  }
}

/** A commit of Bellhop alone shows whether the service refuses all, or what these members bring: they leave alone. */
async function whyRefused(run: QueueRun, step: BuildStep, refused: RefusedPush): Promise<BuildOutcome> {
  const { repository, target = step.onto } = run
  const refusal = async (made: BuildResult | { is: 'unmerged' }): Promise<RefusedPush | undefined> => {
    if (made.is !== 'built') return undefined
    await run.claim()
    // The next look discards it, as no build needs it.
    const [pushed] = await repository.pushBranches([{ branch: `${run.prefix}${newNumber()}`, commit: made.commit }])
    return typeof pushed === 'string' ? undefined : pushed
  }
  const [first, ...others] = step.members
  if (first === undefined || isUnsigned(refused.words)) return refused
  // Where messages are the entry's own, the branch alone shows it.
  const isOwn = run.project?.merge_method === 'ff' || namesIn(run.settings.message ?? '').includes('title')
  const message = `${await messageOf(run, step, first)}\n\n[skip ci]`
  const alone = isOwn ? undefined : await repository.build({ onto: target, head: target, message, at: 0 })
  const ofAll = await refusal(alone ?? { is: 'built', commit: target, tree: '' })
  if (ofAll !== undefined) return ofAll
  const members: EntryRef[] = []
  for (const member of others.length === 0 ? [] : step.members)
    if ((await refusal(await mergeMember(run, step, member, { onto: target }))) !== undefined) members.push(member)
  return {
    is: 'untestable',
    members: members.length === 0 ? step.members : members,
    reason: 'push_refused',
    words: refused.words,
  }
}

/**
 * Whether its only member is on top of the target's head, and a pipeline of the same tree is green that the project
 * itself ran, as it would run that of a build: a direct accept would need no more. Not after a red build of it.
 */
async function isTestedAlready(
  run: QueueRun,
  { members, onto, attempt, isRepeated }: BuildStep,
  { tree }: BranchHead,
): Promise<boolean> {
  const { client, queue, repository, settings } = run
  const [member, ...others] = members
  if (member === undefined || others.length > 0 || onto !== run.target || isRepeated) return false
  if (!(await repository.isAncestor(onto, member.head)) || (await repository.treeOf(member.head)) !== tree) return false
  const ids = { id: queue.project, merge_request_iid: member.iid }
  const { body } = await client.mergeRequests.get(ids, { bypassCache: true })
  const { sha, head_pipeline: pipeline } = body
  if (sha !== member.head || pipeline?.sha !== sha || pipeline.status !== 'success') return false
  const { source = '' } = pipeline
  if (settings.pipelines === 'merge_request' ? source !== 'merge_request_event' : !byItself.has(source)) return false
  if (ranInTarget(body, pipeline) !== true) return false
  run.pipelines.set(attempt, { id: pipeline.id, status: 'success', ...linkOf(pipeline) })
  return true
}

/** The reasons for which git will never take a head: another head is another entry. */
const lasting: Partial<Record<GitErrorCode, RemovalReason>> = {
  too_large: 'head_too_large',
  timed_out: 'head_not_fetched',
  unsound: 'head_not_fetched',
}

async function whyUnfetched(run: QueueRun, members: readonly EntryRef[], heads: Fetched): Promise<Unbuilt> {
  const { log } = run
  const found = members.map((member) => {
    const error = heads.get(member.head)
    if (!(error instanceof GitError)) return { member }
    log.warn({ event: 'queue_head_not_fetched', iid: member.iid, reason: error.message }, 'a head was not fetched')
    return { member, reason: lasting[error.code] }
  })
  const reason = found.find((each) => each.reason !== undefined)?.reason
  if (reason !== undefined) {
    const alike = found.filter((each) => each.reason === reason)
    return { is: 'untestable', members: alike.map(({ member }) => member), reason }
  }
  // Its head may be another one now, which its own evaluation finds.
  for (const { iid } of members) await evaluate(run, iid)
  return { is: 'late', members, reason: 'head_missing' }
}

/** The target's own tree in a commit of its own, whose message skips no pipeline. */
async function copyTarget({ repository, queue }: QueueRun, { onto, attempt }: BuildStep): Promise<BranchHead> {
  const message = `Test ${queue.target}\n\nBellhop-Queue: ${attempt} base=${onto}`
  const built = await repository.build({ onto, head: onto, message, at: 0 })
  if (built.is !== 'built') throw new Error(`${onto} cannot be merged into itself`)
  return { commit: built.commit, tree: built.tree }
}

async function mergeMembers(run: QueueRun, step: BuildStep): Promise<BranchHead | { unbuilt: EntryRef }> {
  let onto = step.onto
  let head: BranchHead | undefined
  for (const member of step.members) {
    const result = await mergeMember(run, step, member, { onto, target: run.target })
    if (result.is !== 'built') return { unbuilt: member }
    head = { commit: result.commit, tree: result.tree }
    onto = result.commit
  }
  if (head === undefined) throw new Error(`attempt ${step.attempt} of a merge queue has no members`)
  return head
}

/** As one commit if it is to be squashed; also if nothing else gives its change, and the project allows it. */
async function mergeMember(
  run: QueueRun,
  step: BuildStep,
  member: EntryRef,
  on: Pick<BuildRequest, 'onto' | 'target'>,
): Promise<BuildResult | { is: 'unmerged' }> {
  const { project, entries, repository, log } = run
  const method = project?.merge_method ?? 'merge'
  const build = async (isSquashed: boolean) => {
    const request = {
      ...{ ...on, head: member.head, message: await messageOf(run, step, member), method },
      ...(isSquashed ? { squash: await squashMessage(run, step, member) } : {}),
      at: Math.floor(timeOf(entries, step.members) / 1000),
    }
    try {
      return await repository.build(request)
    } catch (error) {
      if (!(error instanceof GitError && beyondLimits.has(error.code))) throw error
      const line = { event: 'queue_head_not_merged', iid: member.iid, reason: error.message }
      log.warn(line, 'git did not merge a head within its limits')
      return { is: 'unmerged' } as const
    }
  }
  const isSquashed = method !== 'merge' && entries.find((entry) => isSame(entry, member))?.squash === true
  const built = await build(isSquashed)
  const maySquash = method !== 'merge' && !isSquashed && project?.squash_option !== 'never'
  return maySquash && (built.is === 'differs' || built.is === 'unmerged') ? build(true) : built
}

/** Errors that one head can cause: thrown, they would stop all other entries for as long as its entry is there. */
const beyondLimits: ReadonlySet<GitErrorCode> = new Set(['timed_out', 'too_much_output'])

async function squashMessage({ client, queue }: QueueRun, step: BuildStep, member: EntryRef): Promise<string> {
  const { body } = await client.mergeRequests.get({ id: queue.project, merge_request_iid: member.iid })
  return testable([body.title, '', ...trailer(step, member)].join('\n'))
}

/** Without what makes a CI skip its pipeline: `[skip ci]` in a title would leave the build untested. */
export const testable = (message: string) =>
  message.replace(/\[\s*((?:skip|no)[\s_-]*ci|ci[\s_-]*(?:skip|no))\s*\]/gi, '($1)')

/** The same for each run, so that a build that was interrupted gets the same commit. */
function timeOf(entries: readonly Entry[], members: readonly EntryRef[]): number {
  return Math.max(
    ...entries.filter((entry) => members.some(({ iid }) => iid === entry.iid)).map(({ since }) => since),
    0,
  )
}

/** By the queue's setting, if it has one. */
async function messageOf({ client, queue, settings }: QueueRun, step: BuildStep, member: EntryRef): Promise<string> {
  const { iid, head } = member
  const { message = `Merge !${iid} (${head.slice(0, 8)}) into ${queue.target}` } = settings
  const ids = { id: queue.project, merge_request_iid: iid }
  const title = namesIn(message).includes('title') ? (await client.mergeRequests.get(ids)).body.title : undefined
  const values: Record<string, string> = { title: title ?? '', iid: String(iid), target_branch: queue.target }
  return testable([fillPlaces(message, (name) => values[name] ?? ''), '', ...trailer(step, member)].join('\n'))
}

function trailer({ attempt, onto, members }: BuildStep, { iid }: EntryRef): string[] {
  const entries = members.map((each) => `!${each.iid}@${each.head}`).join(',')
  return [`See merge request !${iid}`, '', `Bellhop-Queue: ${attempt} base=${onto} entries=${entries}`]
}

/** Alone, it may be built: then it waits for what is before it in the queue. */
async function compareWithTarget(run: QueueRun, step: BuildStep, member: EntryRef): Promise<Unbuilt> {
  const { repository, queue, prefix } = run
  const { target } = await repository.heads(queue.target, prefix)
  const alone = target && (await mergeMember(run, step, member, { onto: target.commit }))
  if (alone?.is === 'differs') return { is: 'untestable', members: [member], reason: 'merge_commits' }
  if (alone?.is === 'unmerged') return { is: 'untestable', members: [member], reason: 'head_not_merged' }
  return { is: 'conflict', member, with: alone?.is === 'conflict' ? 'target' : 'queue' }
}
