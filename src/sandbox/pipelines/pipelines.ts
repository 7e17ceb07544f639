// Commit statuses and their pipelines, one for each commit and branch.
import { sendJob, sendPipeline } from '../hooks/pipeline.ts'
import { refuse } from '../http/error-response.ts'
import { mergeAfterPipeline } from '../merging/merge-waiting.ts'
import { pick } from '../records/fields.ts'
import type { CommitStatus, PipelineRecord, StatusState, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

type NewStatus = Pick<CommitStatus, 'project_id' | 'sha' | 'ref' | 'name' | 'status' | 'target_url' | 'description'> & {
  /** Absent: the newest of the commit and branch. */
  pipeline_id?: number
}

const active = (state: string) => state === 'pending' || state === 'running'
const isEnded = (status: string) => ['success', 'failed', 'canceled', 'skipped'].includes(status)

/** Precedence of the statuses in a pipeline. */
export function overallStatus(states: readonly string[]): string {
  const order = ['failed', 'running', 'pending', 'waiting_for_callback', 'canceling', 'created', 'manual', 'canceled']
  const decisive = [...order, 'success'].find((state) => states.includes(state))
  return decisive ?? 'skipped'
}

export async function postStatus(world: World, user: User, wanted: NewStatus): Promise<CommitStatus> {
  const pipeline =
    findPipeline(world, wanted) ??
    addPipeline(world, user, { ...pick(wanted, 'project_id', 'sha', 'ref'), source: 'external' })
  const before = latestStatus(world, pipeline, wanted)
  if (before?.author_id === user.id) refuseTransition(before, wanted.status)
  const status = moveStatus(world, user, pipeline, wanted)
  const changed = before?.id !== status.id || before.status !== status.status
  const moved = setStatus(world, pipeline, statusOf(world, pipeline))
  if (changed) await sendJob(world, status, moved)
  if (moved !== pipeline) await followPipeline(world, moved)
  return status
}

/** A status that is under way cannot begin once more. */
function refuseTransition(before: CommitStatus | undefined, state: StatusState) {
  if (before === undefined || !active(before.status)) return
  const event = { pending: 'enqueue', running: 'run' }[state as string]
  if (event === undefined || (before.status === 'pending' && state === 'running')) return
  throw refuse(
    400,
    `Cannot transition status via :${event} from :${before.status} (Reason(s): Status cannot transition via "${event}")`,
  )
}

/** The status of its jobs and its commit statuses together. */
function statusOf(world: World, { id, jobs_status }: PipelineRecord): string {
  const statuses = world.statuses.where('pipeline', id).filter((each) => !each.retried)
  if (statuses.length === 0) return jobs_status ?? 'created'
  return overallStatus([...(jobs_status === undefined ? [] : [jobs_status]), ...statuses.map(({ status }) => status)])
}

function setStatus(world: World, pipeline: PipelineRecord, status: string) {
  if (status === pipeline.status) return pipeline
  const updated_at = now(world)
  return world.pipelines.update(pipeline.id, { status, updated_at, finished_at: isEnded(status) ? updated_at : null })
}

async function followPipeline(world: World, pipeline: PipelineRecord) {
  await sendPipeline(world, pipeline)
  await mergeAfterPipeline(world, pipeline)
}

export async function movePipeline(world: World, id: number, status: string): Promise<void> {
  const pipeline = world.pipelines.get(id)
  if (pipeline === undefined) throw new Error(`no pipeline ${id}`)
  const jobs = world.pipelines.update(id, { jobs_status: status })
  const moved = setStatus(world, jobs, statusOf(world, jobs))
  if (moved !== jobs) await followPipeline(world, moved)
}

/** Its commit statuses end too; one that has ended stays as it is. */
export async function cancelPipeline(world: World, pipeline: PipelineRecord): Promise<PipelineRecord> {
  if (isEnded(pipeline.status)) return pipeline
  for (const status of world.statuses.where('pipeline', pipeline.id)) {
    if (active(status.status)) world.statuses.update(status.id, { status: 'canceled', finished_at: now(world) })
  }
  world.pipelines.update(pipeline.id, { steps: [] })
  await movePipeline(world, pipeline.id, 'canceled')
  return world.pipelines.get(pipeline.id) ?? pipeline
}

function findPipeline(world: World, wanted: NewStatus): PipelineRecord | undefined {
  return world.pipelines
    .where('sha', `${wanted.project_id}:${wanted.sha}`)
    .findLast(
      ({ id, ref, parent_id }) => ref === wanted.ref && parent_id === undefined && (wanted.pipeline_id ?? id) === id,
    )
}

export type NewPipeline = Pick<
  PipelineRecord,
  'project_id' | 'sha' | 'ref' | 'source' | 'merge_request_id' | 'source_sha' | 'parent_id' | 'script_id'
>

/** Sends no hook before its status moves. */
export function addPipeline(world: World, user: User, wanted: NewPipeline): PipelineRecord {
  const time = now(world)
  return world.pipelines.add({
    ...wanted,
    id: nextNumber(world, 'pipelines'),
    iid: nextNumber(world, `pipelines of ${wanted.project_id}`),
    status: 'created',
    user_id: user.id,
    created_at: time,
    updated_at: time,
    finished_at: null,
  })
}

function latestStatus(world: World, pipeline: PipelineRecord, wanted: NewStatus): CommitStatus | undefined {
  return world.statuses
    .where('pipeline', pipeline.id)
    .filter((status) => status.name === wanted.name && !status.retried)
    .at(-1)
}

/** The user's own running status is updated; any other is followed by a new one, which alone counts (a retry). */
function moveStatus(world: World, user: User, pipeline: PipelineRecord, wanted: NewStatus) {
  const time = now(world)
  const ended = active(wanted.status) ? null : time
  const latest = latestStatus(world, pipeline, wanted)
  const changes = {
    status: wanted.status,
    target_url: wanted.target_url ?? latest?.target_url ?? null,
    description: wanted.description ?? latest?.description ?? null,
  }
  const isOwn = latest?.author_id === user.id
  if (latest !== undefined && isOwn && (active(latest.status) || latest.status === wanted.status)) {
    const started_at = latest.started_at ?? (wanted.status === 'pending' ? null : time)
    return world.statuses.update(latest.id, { ...changes, started_at, finished_at: ended })
  }
  if (latest !== undefined) world.statuses.update(latest.id, { retried: true })
  return world.statuses.add({
    ...changes,
    ...pick(wanted, 'project_id', 'sha', 'ref', 'name'),
    id: nextNumber(world, 'statuses'),
    pipeline_id: pipeline.id,
    author_id: user.id,
    created_at: time,
    started_at: wanted.status === 'pending' ? null : time,
    finished_at: ended,
    retried: false,
  })
}
