// Observes what a merge queue's plan depends on: branches, pipelines, and the outcome of a landing.
import { randomInt } from 'node:crypto'
import type { AttemptState, Observed } from '../../merge-queue/observed.ts'
import type { Attempt, Landing, MergeQueueRecord } from '../../merge-queue/types.ts'
import { mergedBy } from '../notifications/merged-elsewhere.ts'
import { ifNotFound } from '../service/retry-policy.ts'
import { attemptOf } from './branch-names.ts'
import { closeLeftovers, pipelinesOf } from './draft-requests.ts'
import type { BranchHead } from './git/repository.ts'
import { GitError, type GitErrorCode } from './git/run-git.ts'
import { readRequest, rebasedAttempts, rebasedOutcome } from './observe-rebased.ts'
import { asCounted, pipelineStatus, type QueuePipeline, startedPipeline } from './pipelines.ts'
import { withSkipped } from './project.ts'
import type { MergedCommits, QueueRun } from './queue-run.ts'

/** Ten digits. */
export const newNumber = () => randomInt(1e9, 1e10)

/** Undefined while the service is carrying out a landing. Throws what client, journal and git throw. */
export async function observe(run: QueueRun, record: MergeQueueRecord): Promise<Observed | undefined> {
  const unread = (unreadable: NonNullable<Observed['unreadable']>) => ({
    entries: run.entries,
    attempts: new Map(),
    newNumber,
    unreadable,
  })
  // It would be fetched in vain once more, with each hook: a person resumes the queue.
  if (record.paused?.reason === 'repository_not_fetched') return unread('repository_not_fetched')
  try {
    return await observeNow(run, record)
  } catch (error) {
    const reason = error instanceof GitError ? unreadables[error.code] : undefined
    if (reason === undefined) throw error
    run.log.warn({ event: 'queue_repository_unreadable', reason: String(error) }, 'the repository cannot be read')
    return unread(reason)
  }
}

const unreadables: Partial<Record<GitErrorCode, NonNullable<Observed['unreadable']>>> = {
  refused: 'repository_refused',
  too_large: 'repository_not_fetched',
  unsound: 'repository_not_fetched',
}

async function observeNow(run: QueueRun, record: MergeQueueRecord): Promise<Observed | undefined> {
  const { repository, queue, prefix } = run
  const { target, branches, inTheWay } = await repository.heads(queue.target, prefix)
  const found = [...branches].flatMap(([name, commit]) => {
    const number = attemptOf(name, prefix)
    return number === undefined ? [] : [[number, commit] as const]
  })
  run.branches = new Map(found)
  run.target = target?.commit
  await fetchBuilds(run, record, branches)
  if (run.settings.pipelines === 'merge_request') await closeLeftovers(run)
  const landing = record.landing === undefined ? undefined : await observeLanding(run, record.landing, target)
  if (landing === 'in_progress') return undefined
  const attempts =
    run.settings.test !== 'branch' ? await rebasedAttempts(run, record) : await attemptStates(run, record)
  const mayBeRed = run.settings.test === 'branch' && (record.paused?.reason === 'target_red' || isRed(run, record))
  return {
    target,
    isTargetGreen: mayBeRed && target !== undefined ? await isGreenTarget(run, target) : undefined,
    entries: run.entries,
    newNumber,
    inTheWay,
    attempts,
    landing,
    ...(run.settlesOnly ? { settlesOnly: true } : {}),
  }
}

/** Fetches what may be built on or may land: only what Bellhop made, as anybody may push other commits there. */
async function fetchBuilds(
  { repository }: QueueRun,
  { builds }: MergeQueueRecord,
  branches: ReadonlyMap<string, string>,
): Promise<void> {
  const recorded = new Set(builds.flatMap(({ attempts }) => attempts.flatMap(({ commit }) => commit ?? [])))
  const own = [...branches].flatMap(([branch, commit]) => (recorded.has(commit) ? [{ branch, commit }] : []))
  if (own.length > 0) await repository.fetchBranches(own)
}

/** Whether the first build seems to be red. */
const isRed = ({ pipelines }: QueueRun, { builds: [front] }: MergeQueueRecord) =>
  front?.attempts.some(({ number, failed }) => failed !== undefined || pipelines.get(number)?.status === 'failed')

async function isGreenTarget({ client, queue }: QueueRun, { commit }: BranchHead): Promise<boolean> {
  const query = { id: queue.project, ref: queue.target, sha: commit, per_page: 100 }
  const { body } = await client.repository.pipelines.list(query, { bypassCache: true })
  return body.some(({ ref, sha, status }) => ref === queue.target && sha === commit && status === 'success')
}

async function attemptStates(run: QueueRun, record: MergeQueueRecord): Promise<Map<number, AttemptState>> {
  const states = new Map<number, AttemptState>(run.found)
  const planned = record.builds.flatMap(({ attempts, tree }) => attempts.map((attempt) => ({ attempt, tree })))
  await readTests(run, record)
  for (const [number, commit] of run.branches) {
    // The service does not let the bot delete it.
    if (run.found.get(number)?.is === 'refused') continue
    const build = planned.find(({ attempt }) => attempt.number === number)
    const state = build === undefined ? leftover(commit) : plannedState(run, build, commit)
    if (state !== undefined) states.set(number, state)
  }
  for (const { attempt, tree } of planned) {
    const { commit, own } = { ...attempt, ...run.made.get(attempt.number) }
    if (own === undefined || commit === undefined) continue
    // Its commit is in the cache of the worker that made it alone; another one makes it again.
    const present = (await run.repository.treeOf(commit)) ?? ''
    if (present !== (tree ?? present)) continue
    const { status } = run.pipelines.get(attempt.number) ?? (await readOwn(run, attempt))
    states.set(attempt.number, { is: 'made', commit, tree: present, pipeline: status, own })
  }
  return states
}

async function readOwn(run: QueueRun, { number, pipeline: id = 0 }: Attempt): Promise<QueuePipeline> {
  const ids = { id: run.queue.project, pipeline_id: id }
  const read = run.client.repository.pipelines.get(ids, { bypassCache: true })
  const found = { id, status: pipelineStatus((await read.catch(ifNotFound(undefined)))?.body.status ?? 'failed') }
  run.pipelines.set(number, found)
  return found
}

/** The branches of ended builds, of a lost record, or made by somebody under such a name: to be discarded. */
const leftover = (commit: string): AttemptState => ({ is: 'made', commit, tree: '', pipeline: 'none' })

/** Undefined if this run has not made the commit of the branch: the plan builds it again, and compares. */
function plannedState(
  { made, pipelines, retried: retriedNow, started: startedNow }: QueueRun,
  { attempt, tree }: { attempt: Attempt; tree: string | undefined },
  commit: string,
): AttemptState | undefined {
  const { number, started = startedNow.get(number) } = attempt
  const built = made.get(number)
  const own = attempt.commit ?? built?.commit
  if (own === undefined) return undefined
  if (own !== commit) return { is: 'foreign' }
  const { id, status, isOutside }: QueuePipeline = pipelines.get(number) ?? { status: 'none' }
  const hasJobs = id !== undefined && !isOutside
  const known = { started, retried: retriedNow.get(number), ...(hasJobs ? { hasJobs } : {}) }
  return { is: 'made', commit, tree: built?.tree ?? tree ?? '', pipeline: status, ...known }
}

/**
 * Reads the pipeline of each attempt once in a run. A failed attempt counts no more, and a branch that this run pushed
 * has none yet.
 */
export async function readPipelines(
  run: QueueRun,
  attempts: readonly Pick<Attempt, 'commit' | 'failed' | 'number' | 'own' | 'pipeline' | 'started'>[],
): Promise<void> {
  const unread = attempts.flatMap(({ number, commit, failed, own, pipeline, started = run.started.get(number) }) => {
    const isKnown = failed !== undefined || own !== undefined || run.made.has(number) || run.pipelines.has(number)
    if (isKnown || commit === undefined) return []
    return [{ number, branch: `${run.prefix}${number}`, commit, pipeline, started }]
  })
  const own = unread.filter(({ started }) => started === undefined)
  const found = own.length === 0 ? [] : await pipelinesOf(run, own)
  for (const [index, { number }] of own.entries()) run.pipelines.set(number, found[index] ?? { status: 'none' })
  for (const { number, started, commit } of unread)
    if (started !== undefined) run.pipelines.set(number, await startedPipeline(run, { started, commit }))
}

/** Reads the pipelines of builds, as they count. */
async function readTests(run: QueueRun, record: MergeQueueRecord): Promise<void> {
  const known = new Set(run.pipelines.keys())
  await readPipelines(
    run,
    record.builds.flatMap(({ attempts }) => attempts),
  )
  for (const { members, attempts } of record.builds)
    for (const { number, commit = '', since } of attempts) {
      const pipeline = run.pipelines.get(number)
      if (pipeline === undefined || known.has(number)) continue
      const like = members.length === 0 ? run.entries.slice(0, 1) : members
      const counted = await asCounted(run, pipeline, { commit, members: like, since }, record)
      run.pipelines.set(number, await withSkipped(run, counted))
    }
}

/** Longer than a service takes to merge. */
const longestMergeMs = 10 * 60_000

/** Undefined: it has not landed, as far as the service says. Throws what client and git throw. */
export async function observeLanding(
  run: QueueRun,
  landing: Landing,
  target: BranchHead | undefined,
): Promise<Observed['landing'] | 'in_progress'> {
  if (run.isUnsent) return { is: 'unsent' }
  if (run.refused !== undefined) return { is: 'refused', ...run.refused }
  if (landing.by === 'push') return pushOutcome(run, landing, target)
  const outcome = (merged: MergedCommits) => {
    const { target_branch: branch } = merged
    // Its target branch was changed in the moment of the call.
    if (typeof branch === 'string' && branch !== run.queue.target)
      return { is: 'landed', tree: '', onto: '', elsewhere: branch } as const
    return run.settings.test !== 'branch' ? rebasedOutcome(run, landing, merged) : mergeOutcome(run, landing, merged)
  }
  if (run.merged !== undefined) return outcome(run.merged)
  const [member] = landing.members
  if (member === undefined) return undefined
  const body = await readRequest(run, member.iid)
  if (body === undefined) return undefined
  // The service merges; one that stays so is asked to merge again, and says why not.
  if (body.state === 'locked' && run.now() - landing.since < longestMergeMs) return 'in_progress'
  if (body.state !== 'merged') return undefined
  // Somebody else merged it: what the queue requested will never happen.
  const by = mergedBy(body)
  if (by !== undefined && by !== (await run.botUser()).id) return { is: 'unsent' }
  return outcome(body)
}

/** The tested commit itself is on the target, or it is not. */
async function pushOutcome(
  { repository }: QueueRun,
  { commit, from }: Landing,
  target: BranchHead | undefined,
): Promise<Observed['landing']> {
  if (target === undefined || target.commit === from.commit) return undefined
  if (target.commit !== commit && !(await repository.isAncestor(commit, target.commit))) return undefined
  return { is: 'landed', tree: (await repository.treeOf(commit)) ?? '', onto: from.commit }
}

/** What a merged merge request became on the target. */
async function mergeOutcome(
  { repository }: QueueRun,
  { from, members }: Landing,
  body: MergedCommits,
): Promise<Observed['landing']> {
  const commit = [body.merge_commit_sha, body.squash_commit_sha].find((sha) => typeof sha === 'string')
  const tree = typeof commit === 'string' ? await repository.treeOf(commit) : undefined
  // Fails closed: nobody can say what landed.
  if (typeof commit !== 'string' || tree === undefined) return { is: 'landed', tree: '', onto: '' }
  const [onto = ''] = await repository.parentsOf(commit)
  const [member] = members
  if (onto === from.commit || member === undefined || !(await repository.isAncestor(from.commit, onto)))
    return { is: 'landed', tree, onto }
  const merged = await repository.build({ onto, head: member.head, message: commit, at: 0 })
  return { is: 'landed', tree, onto, ...(merged.is === 'built' && merged.tree === tree ? { commit } : {}) }
}
