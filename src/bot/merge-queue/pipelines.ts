// The pipelines of the queue's branches (merge-queue.md §4): only those of the branch's own commit count.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { PipelineStatus } from '../../merge-queue/types.ts'

export interface QueuePipeline {
  id?: number
  status: PipelineStatus
  url?: string
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
}

/** The newest pipelines of the commits on their branches, in their order. Throws what the client throws. */
export async function newestPipelines(
  client: Client,
  project: number,
  wanted: readonly BranchCommit[],
): Promise<QueuePipeline[]> {
  const list = async (query: { ref?: string; sha?: string; per_page: number }) =>
    (await client.repository.pipelines.list({ id: project, ...query }, { bypassCache: true })).body
  // One list of the newest has most of them.
  const recent = wanted.length > 1 ? await list({ per_page: 100 }) : []
  return Promise.all(
    wanted.map(async ({ branch, commit }) => {
      const found = newestOf(recent, { branch, commit })
      return (
        found ??
        newestOf(await list({ ref: branch, sha: commit, per_page: 20 }), { branch, commit }) ?? { status: 'none' }
      )
    }),
  )
}

type Listed = Awaited<ReturnType<Client['repository']['pipelines']['list']>>['body']

/** A service may ignore a filter. */
const newestOf = (listed: Listed, { branch, commit }: BranchCommit) =>
  newestPipeline(listed.filter((each) => each.ref === branch && each.sha === commit))

/** By the push, the draft's opening or an outside CI. Who starts another one may choose variables that skip its tests. */
const startedByItself: ReadonlySet<string> = new Set(['push', 'merge_request_event', 'external'])

/** Undefined where the push itself started none. Old services do not say what started one. */
export function newestPipeline(listed: Listed): QueuePipeline | undefined {
  const own = listed.filter(({ source }) => source === undefined || source === null || startedByItself.has(source))
  const newest = own.toSorted((a, b) => (b.id ?? 0) - (a.id ?? 0))[0]
  if (newest?.id === undefined) return undefined
  return { id: newest.id, status: pipelineStatus(newest.status), ...linkOf(newest) }
}

/** Not on the page of the API, but every installation says it. */
const linkOf = ({ web_url: url }: Listed[number]) => (typeof url === 'string' ? { url } : {})

/** Whether the pipeline is still successful. Throws what the client throws. */
export async function isStillGreen(client: Client, project: number, pipeline: number): Promise<boolean> {
  const { body } = await client.repository.pipelines.get({ id: project, pipeline_id: pipeline }, { bypassCache: true })
  return body.status === 'success'
}

/** Cancels what has not ended. Throws what the client throws. */
export async function cancelPipeline(client: Client, project: number, { id, status }: QueuePipeline): Promise<void> {
  if (id !== undefined && (status === 'running' || status === 'manual'))
    await client.repository.pipelines.cancel({ id: project, pipeline_id: id })
}

/** The page of a job that failed; undefined where the service shows none. One call; throws no ServiceError. */
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
