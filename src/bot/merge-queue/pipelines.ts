// The pipelines of the queue's branches: only those of the branch's own commit count.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { pipelineWithinMs } from '../../merge-queue/attempts.ts'
import { testOf } from '../../merge-queue/landing.ts'
import type { PipelineStatus } from '../../merge-queue/observed.ts'
import { isQueueBranch } from '../../merge-queue/queue-branches.ts'
import type { EntryRef, MergeQueueRecord, PastLanding } from '../../merge-queue/types.ts'
import { ifNotFound, isPermanentRefusal } from '../service/retry-policy.ts'

export interface QueuePipeline {
  id?: number
  status: PipelineStatus
  url?: string
  /** Commit statuses made it, of an outside CI or of anybody who may push. */
  isOutside?: true
}

interface PipelineReading {
  client: Client
  queue: { project: number }
}

const ended: Record<string, PipelineStatus> = {
  success: 'success',
  failed: 'failed',
  canceled: 'failed',
  canceling: 'failed',
  skipped: 'skipped',
  manual: 'manual',
}

/** Unknown statuses count as running: they may still end. */
export const pipelineStatus = (status: string | undefined): PipelineStatus => ended[status ?? ''] ?? 'running'

/** The commit of a branch. */
export interface BranchCommit {
  branch: string
  commit: string
  /** The pipeline that was found there before. */
  pipeline?: number | undefined
}

/** The pipelines that count for the commits on their branches, in their order. Throws what the client throws. */
export async function pipelinesOfBranches(
  client: Client,
  project: number,
  wanted: readonly BranchCommit[],
): Promise<QueuePipeline[]> {
  const list = async (query: { ref?: string; sha?: string; per_page: number }) =>
    (await client.repository.pipelines.list({ id: project, ...query }, { bypassCache: true })).body
  // One list of the newest has most of them.
  const recent = wanted.length > 1 ? await list({ per_page: 100 }) : []
  return Promise.all(
    wanted.map(async (each) => {
      const found = countedOf(recent, each)
      // An outside one may hide the others, which are on the next page.
      if (found !== undefined && found.isOutside !== true) return found
      const { branch: ref, commit: sha } = each
      return countedOf(await list({ ref, sha, per_page: 100 }), each) ?? { status: 'none' }
    }),
  )
}

type Listed = Awaited<ReturnType<Client['repository']['pipelines']['list']>>['body']

/** A service may ignore a filter. */
const countedOf = (listed: Listed, { branch, commit, pipeline }: BranchCommit) =>
  countedPipeline(
    listed.filter((each) => each.ref === branch && each.sha === commit),
    pipeline,
  )

/** Sources of pipelines that the push or draft starts. Who starts another may choose variables that skip tests. */
export const byItself: ReadonlySet<string> = new Set(['push', 'merge_request_event'])

/** The page of the API does not show what started one. */
const startsByItself = ({ source }: Pick<Listed[number], 'source'>) =>
  source === undefined || source === null || byItself.has(source)

/**
 * The first that the push itself started, else the newest of an outside CI; undefined if there is none. Who pushes the
 * same commit again may choose variables too. `known`: what was found before; if the page does not have it any more,
 * there are too many others to tell, and none counts.
 */
export function countedPipeline(listed: Listed, known?: number): QueuePipeline | undefined {
  if (known !== undefined && listed.every(({ id }) => id !== known)) return undefined
  const oldestFirst = listed.toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0))
  const own = oldestFirst.filter(startsByItself)
  const first = own.find(({ id }) => id === known) ?? own[0]
  const counted = first ?? oldestFirst.findLast(({ source }) => source === 'external')
  if (counted?.id === undefined) return undefined
  const outside = first === undefined ? ({ isOutside: true } as const) : {}
  return { id: counted.id, status: pipelineStatus(counted.status), ...linkOf(counted), ...outside }
}

/** Not on the page of the API, but every installation says it. */
export const linkOf = ({ web_url: url }: { web_url?: unknown }) => (typeof url === 'string' ? { url } : {})

/** Who may push can post a commit status, even before the CI does: what is known of the queue says which count. */
interface OutsideReading extends PipelineReading {
  settings: { pipelines: 'branch' | 'merge_request' }
  /** The pipelines of the present builds, as they were read. */
  pipelines: ReadonlyMap<number, QueuePipeline>
  now: () => number
  botUser: () => Promise<{ id: number }>
}

/** How many of the last landed builds say which statuses the CI reports. */
const asLast = 3

/** What tests: the project's own CI, or these statuses, each by who set it. */
type Reference = 'own_ci' | readonly string[]

/**
 * As it counts: `none` if the project's own CI tests the queue's branches, and `partial` until each status is there
 * that the last landed builds had, by a user who set it there. Where nothing ran before, any status counts, once the
 * project's own CI had the time to begin. Throws what the client throws.
 */
export async function asCounted(
  run: OutsideReading,
  found: QueuePipeline,
  { commit, members, since }: { commit: string; members: readonly EntryRef[]; since?: number | undefined },
  record: MergeQueueRecord,
): Promise<QueuePipeline> {
  if (found.isOutside !== true || found.status === 'running') return found
  const reference = await referenceFor(run, record, members)
  if (reference === 'own_ci') return { status: 'none' }
  if (found.status === 'failed') return found
  // Nothing is known: the project's own CI may still come.
  if (reference.length === 0 && run.now() < (since ?? run.now()) + pipelineWithinMs)
    return { ...found, status: 'partial' }
  const present = new Set(await statusesOf(run, commit, isQueueBranch))
  return reference.every((each) => present.has(each)) ? found : { ...found, status: 'partial' }
}

/**
 * Before the first landing, the heads of the members show it; after an operator resumed the queue they show only
 * whether it is the project's own CI, until something landed.
 */
async function referenceFor(
  run: OutsideReading,
  { recent, resumed }: MergeQueueRecord,
  members: readonly EntryRef[],
): Promise<Reference> {
  if (run.settings.pipelines === 'merge_request') return 'own_ci'
  const isByQueue = (each: PastLanding) => testOf(each) === 'branch' && each.own === undefined
  const landed = recent.filter((each) => isByQueue(each) && each.at > (resumed ?? 0)).slice(0, asLast)
  const isOwn = ({ id, isOutside }: QueuePipeline) => id !== undefined && isOutside !== true
  if (landed.length === 0 && [...run.pipelines.values()].some(isOwn)) return 'own_ci'
  const all =
    landed.length > 0
      ? landed.map(({ commit }) => testsOf(run, commit, isQueueBranch))
      : members.map(({ head }) => testsOf(run, head, () => true))
  const read = await Promise.all(all)
  if (read.includes('own_ci')) return 'own_ci'
  return landed.length === 0 && resumed !== undefined ? [] : [...new Set(read.flat())]
}

type OfRef = (ref: string) => boolean

async function testsOf(run: OutsideReading, sha: string, counts: OfRef): Promise<Reference> {
  const { body } = await run.client.repository.pipelines.list({ id: run.queue.project, sha, per_page: 100 })
  const isOwn = body.some((each) => each.sha === sha && counts(each.ref ?? '') && startsByItself(each))
  return isOwn ? 'own_ci' : statusesOf(run, sha, counts)
}

/** Without those of Bellhop, which are no tests. */
async function statusesOf({ client, queue, botUser }: OutsideReading, sha: string, counts: OfRef): Promise<string[]> {
  const bot = await botUser()
  const query = { id: queue.project, sha, per_page: 100 }
  // The service may have deleted the commit of a branch that is gone.
  const { body } = await client.repository.statuses.list(query, { bypassCache: true }).catch(ifNotFound({ body: [] }))
  const others = body.filter(({ ref, author }) => counts(ref ?? '') && author?.id !== bot.id)
  return others.map(({ name, author }) => JSON.stringify([author?.id, name]))
}

/** Whether the pipeline is still green; `takesSkipped`: so is a skipped one. Throws what the client throws. */
export async function isStillGreen(
  client: Client,
  project: number,
  { id, takesSkipped }: { id: number; takesSkipped: boolean },
): Promise<boolean> {
  const { body } = await client.repository.pipelines.get({ id: project, pipeline_id: id }, { bypassCache: true })
  return body.status === 'success' || (takesSkipped && body.status === 'skipped')
}

/**
 * Starts one by the API, which ignores `[skip ci]` in commit messages. Undefined if the service refuses: no job is
 * for the branch, or the bot may not. Throws what else the client throws.
 */
export async function startPipeline(
  { client, queue, claim }: PipelineReading & { claim: () => Promise<unknown> },
  ref: string,
): Promise<number | undefined> {
  const options = { noRetry: true, beforeRequest: claim }
  const created = client.repository.pipelines.create({ id: queue.project, ref }, options)
  return (await created.catch(ifRefused))?.body.id
}

function ifRefused(error: unknown): undefined {
  if (!isPermanentRefusal(error)) throw error
}

/** Runs its failed jobs again. False if the service refuses. Throws what else the client throws. */
export async function retryPipeline(
  { client, queue, claim }: PipelineReading & { claim: () => Promise<unknown> },
  id: number,
): Promise<boolean> {
  const options = { noRetry: true, beforeRequest: claim }
  const retried = client.repository.pipelines.retry({ id: queue.project, pipeline_id: id }, options)
  return (await retried.catch(ifRefused)) !== undefined
}

/** The one that Bellhop started (0: none); one of another commit counts as skipped. Throws what the client throws. */
export async function startedPipeline(
  { client, queue }: PipelineReading,
  { started, commit }: { started: number; commit: string },
): Promise<QueuePipeline> {
  if (started === 0) return { status: 'skipped' }
  const ids = { id: queue.project, pipeline_id: started }
  const { body } = await client.repository.pipelines.get(ids, { bypassCache: true })
  // Somebody pushed to the branch in that moment.
  const status = body.sha === commit ? pipelineStatus(body.status) : 'skipped'
  return { id: started, status, ...linkOf(body) }
}

/** Cancels what has not ended. Throws what the client throws. */
export async function cancelPipeline(client: Client, project: number, { id, status }: QueuePipeline): Promise<void> {
  if (id !== undefined && (status === 'running' || status === 'manual'))
    await client.repository.pipelines.cancel({ id: project, pipeline_id: id })
}

/** The page of a job that failed; undefined if the service shows none. One call; throws no ServiceError. */
export async function failedJob(client: Client, project: number, pipeline: number): Promise<string | undefined> {
  try {
    const query = { id: project, pipeline_id: pipeline, scope: ['failed'], per_page: 20 }
    const { body } = await client.repository.pipelines.jobs(query, { bypassCache: true, noRetry: true })
    const url = body.find((each) => each.allow_failure !== true)?.web_url
    return typeof url === 'string' ? url : undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}
