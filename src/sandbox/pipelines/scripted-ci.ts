// A CI that runs nothing: scripts of a project say how long its pipelines take and how they end.
import { hasFiles } from '../git/read-commits.ts'
import { branchHead } from '../git/refs.ts'
import { writeMergeRef } from '../git/write-commits.ts'
import { isPremium } from '../installation.ts'
import { retryTrain } from '../merging/merge-train.ts'
import { matchesBranch } from '../pushes/protected-branches.ts'
import type { MergeRequest, PipelineRecord, PipelineScript, Project, User } from '../records/records.ts'
import { type Ci, nextNumber, projectById, type World } from '../storage/world.ts'
import { addPipeline, cancelPipeline, movePipeline, type NewPipeline } from './pipelines.ts'

export type NewScript = Pick<PipelineScript, 'branches' | 'kind' | 'takes' | 'ends' | 'breaks_with'>

/** Replaces the scripts of a project; the first that fits a branch counts, for branches and for merge requests. */
export function scriptPipelines(world: World, projectId: number, scripts: readonly NewScript[]): void {
  for (const { id } of world.pipelineScripts.where('project', projectId)) world.pipelineScripts.remove(id)
  for (const script of scripts) {
    if (script.ends.length === 0) throw new Error('a script of pipelines needs an end')
    world.pipelineScripts.add({
      ...script,
      id: nextNumber(world, 'pipeline scripts'),
      project_id: projectId,
      runs: 0,
    })
  }
}

export const scriptedCi: Ci = {
  async pushed(world, project, user, { branch, sha, skipsCi }) {
    retryTrain(world, { project_id: project.id, target_branch: branch })
    const script = scriptFor(world, project, branch, ['branch'])
    if (script !== undefined)
      await start(world, user, script, { project_id: project.id, sha, ref: branch, source: 'push' }, skipsCi)
  },

  /** Pipelines of forks do not run in the target, as in GitLab. */
  async moved(world, mr, user) {
    // A new head has left its train.
    retryTrain(world, mr)
    if (mr.source_project_id === mr.project_id) await startOfMergeRequest(world, mr, user)
  },

  /** In the target, also of forks. GitLab runs a train's pipeline wherever it runs one for merge requests. */
  async trained(world, mr, user, commit) {
    const project = projectById(world, mr.project_id)
    const script =
      scriptFor(world, project, mr.source_branch, ['merge_train']) ??
      scriptFor(world, project, mr.source_branch, ['merge_request', 'merged_results'])
    const { id: merge_request_id, project_id } = mr
    return (
      script && start(world, user, script, { ...commit, project_id, source: 'merge_request_event', merge_request_id })
    )
  },

  cancel: cancelPipeline,
}

/** The branch's pipeline, on request; undefined without a script for it. */
export async function startOfBranch(
  world: World,
  project: Project,
  user: User,
  { branch, sha }: { branch: string; sha: string },
): Promise<PipelineRecord | undefined> {
  const script = scriptFor(world, project, branch, ['branch', 'merge_request', 'merged_results'])
  return script && start(world, user, script, { project_id: project.id, sha, ref: branch, source: 'api' })
}

/** On the head, or on a merge of head and target; undefined without a script for it. */
export async function startOfMergeRequest(world: World, mr: MergeRequest, user: User, project_id = mr.project_id) {
  const project = projectById(world, project_id)
  const script = scriptFor(world, project, mr.source_branch, ['merge_request', 'merged_results'])
  if (script === undefined) return undefined
  // Merged results are of Premium; a conflict leaves the head alone, as in GitLab.
  const isMerged = script.kind === 'merged_results' && isPremium(world)
  const onto = isMerged ? await branchHead(world, mr.project_id, mr.target_branch) : undefined
  const merged = onto === undefined ? null : await writeMergeRef(world, mr, user, { name: 'merge', onto })
  const head = { sha: mr.sha, ref: `refs/merge-requests/${mr.iid}/head` }
  return start(world, user, script, {
    ...(merged ?? head),
    project_id,
    source: 'merge_request_event',
    merge_request_id: mr.id,
  })
}

/** A failed or canceled pipeline of a script runs again; others stay as they are. */
export async function retryPipeline(world: World, pipeline: PipelineRecord): Promise<PipelineRecord> {
  const script = world.pipelineScripts.get(pipeline.script_id)
  if (script === undefined || (pipeline.status !== 'failed' && pipeline.status !== 'canceled')) return pipeline
  return run(world, pipeline, script)
}

/** Schedules what is left of each pipeline's steps after a restart. */
export function resumePipelines(world: World): void {
  for (const pipeline of world.pipelines.all()) scheduleSteps(world, pipeline)
}

function scriptFor(world: World, project: Project, branch: string, kinds: readonly PipelineScript['kind'][]) {
  if (!project.jobs_enabled) return undefined
  return world.pipelineScripts
    .where('project', project.id)
    .find((script) => kinds.includes(script.kind) && matchesBranch(script.branches, branch))
}

function start(world: World, user: User, script: PipelineScript, wanted: NewPipeline, skips = false) {
  return run(world, addPipeline(world, user, { ...wanted, script_id: script.id }), script, skips)
}

/** Pending at once, running after a tenth of the time. */
async function run(world: World, pipeline: PipelineRecord, script: PipelineScript, skips = false) {
  const { id, project_id, sha, source } = pipeline
  const began = world.clock.now()
  const { runs, ends, breaks_with = [] } = script
  const isBroken = breaks_with.length > 0 && (await hasFiles(world, project_id, sha, breaks_with))
  const own = isBroken ? 'failed' : (ends[runs % ends.length] ?? 'success')
  // A pipeline that the API starts runs whatever the commit asks for.
  const mayAsk = !skips && source !== 'api'
  const message = mayAsk ? await world.git.text(project_id, ['log', '-1', '--format=%B', sha]) : ''
  const isSkipped = skips || /\[(ci[ _-]skip|skip[ _-]ci)\]/i.test(message)
  const end = isSkipped ? 'skipped' : own
  const passed = ['pending', 'running'].map((status, index) => ({ status, at: began + (index * script.takes) / 10 }))
  world.pipelineScripts.update(script.id, { runs: runs + 1 })
  const steps =
    end === 'skipped' ? [{ status: end, at: began }] : [...passed, { status: end, at: began + script.takes }]
  const begun = world.pipelines.update(id, { steps })
  scheduleSteps(world, begun)
  return begun
}

function scheduleSteps(world: World, { id, project_id, steps = [] }: PipelineRecord) {
  for (const { at } of steps) world.later(at, `project ${project_id}`, (later) => takeSteps(later, id))
}

/** All that are due, so that late timers change no order. */
async function takeSteps(world: World, id: number): Promise<void> {
  for (;;) {
    const [next, ...rest] = world.pipelines.get(id)?.steps ?? []
    if (next === undefined || next.at > world.clock.now()) return
    world.pipelines.update(id, { steps: rest })
    await movePipeline(world, id, next.status)
  }
}
