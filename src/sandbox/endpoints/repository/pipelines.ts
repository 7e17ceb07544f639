// Commit statuses and pipelines of a project.
import type { Api } from '../../../api/index.ts'
import { commitStatus as statusSchema } from '../../../api/schemas/repository.ts'
import { developer, findOf, projectLevel, projectToChange, readableProject } from '../../access/access.ts'
import { branchHead, branchWith, isRefName } from '../../git/refs.ts'
import { badParameter, forbidden, invalid, notFound, orNotFound } from '../../http/error-response.ts'
import { type Asked, type Handlers, on, pageOf } from '../../http/handler.ts'
import { showPipeline } from '../../merge-requests/show.ts'
import { cancelPipeline, postStatus } from '../../pipelines/pipelines.ts'
import { retryPipeline, startOfBranch } from '../../pipelines/scripted-ci.ts'
import { shownFields } from '../../records/fields.ts'
import { filtered } from '../../records/filter.ts'
import type { CommitStatus, PipelineRecord, Project, User } from '../../records/records.ts'
import { showUserById } from '../../records/show-records.ts'
import { projectById, type World, webUrl } from '../../storage/world.ts'
import { findCommit } from './find.ts'

export const statuses: Handlers<Api['repository']['statuses']> = {
  list: on(projectWithJobs, async ({ project, params, world }) => {
    const sha = await findCommit(world, project, params.sha)
    const found = world.pipelines
      .where('sha', `${project.id}:${sha}`)
      .flatMap((pipeline) => world.statuses.where('pipeline', pipeline.id))
      .sort((one, other) => one.id - other.id)
    const wanted = filtered(found, params, {
      all: (status, all) => all || !status.retried,
      ref: (status, ref) => status.ref === branchName(ref),
      name: (status, name) => status.name === name,
    })
    return pageOf(wanted, params, (status) => showStatus(world, status))
  }),

  create: on(projectToChange(developer), async ({ project, params, caller, world }) => {
    const sha = await findCommit(world, project, params.sha)
    const pipeline = world.pipelines.get(params.pipeline_id)
    const named = params.ref === undefined ? pipeline?.ref : branchName(params.ref)
    const ref = orNotFound(named ?? (await branchWith(world, project.id, sha)), 'References for commit')
    if (!isRefName(ref)) throw badParameter('ref is invalid')
    const fits = pipeline?.project_id === project.id && pipeline.sha === sha && pipeline.ref === ref
    if (params.pipeline_id !== undefined && !fits) throw notFound('Pipeline for pipeline_id, sha and ref')
    const status = await postStatus(world, caller, {
      project_id: project.id,
      pipeline_id: params.pipeline_id,
      sha,
      ref,
      name: params.name ?? 'default',
      status: params.state,
      target_url: params.target_url ?? null,
      description: params.description ?? null,
    })
    return showStatus(world, status)
  }),
}

export const pipelines: Handlers<Api['repository']['pipelines']> = {
  list: on(projectWithJobs, ({ project, params, world }) => {
    const found = filtered(world.pipelines.where('project', project.id), params, {
      ref: (pipeline, ref) => pipeline.ref === branchName(ref),
      sha: (pipeline, sha) => pipeline.sha === sha,
      status: (pipeline, status) => pipeline.status === status,
      updated_after: (pipeline, time) => Date.parse(pipeline.updated_at) > Date.parse(time),
    })
    return pageOf(found.reverse(), params, (each) => showPipeline(world, each))
  }),

  get: on(pipelineOf(projectWithJobs), ({ pipeline, world }) => showPipeline(world, pipeline)),

  jobs: on(pipelineOf(projectWithJobs), ({ pipeline, params, world }) => {
    const found = jobsOf(world, pipeline).filter(({ status }) => params.scope?.includes(status) ?? true)
    return pageOf(found, params, (each) => each)
  }),

  create: on(projectToChange(developer), async ({ project, params, caller, world }) => {
    const branch = branchName(params.ref)
    const sha = await branchHead(world, project.id, branch)
    if (sha === undefined) throw invalid('base', 'Reference not found')
    const pipeline = await startOfBranch(world, project, caller, { branch, sha })
    if (pipeline === undefined) throw invalid('base', 'Missing CI config file')
    return showPipeline(world, pipeline)
  }),

  retry: on(pipelineOf(projectToChange(developer)), async ({ pipeline, world }) =>
    showPipeline(world, await retryPipeline(world, pipeline)),
  ),

  cancel: on(pipelineOf(projectToChange(developer)), async ({ pipeline, world }) =>
    showPipeline(world, await cancelPipeline(world, pipeline)),
  ),
}

type OfProject<C extends User | null> = Asked<{ id: number | string }, C>

function pipelineOf<C extends User | null>(find: (call: OfProject<C>) => { project: Project }) {
  return (call: Asked<{ id: number | string; pipeline_id: number }, C>) => ({
    pipeline: findOf(find(call).project, call.world.pipelines, call.params.pipeline_id),
  })
}

/** The one job of a scripted pipeline; none for commit statuses, as in GitLab. */
function jobsOf(world: World, { id, status, project_id, script_id }: PipelineRecord) {
  if (script_id === undefined) return []
  const web_url = `${webUrl(world, projectById(world, project_id))}/-/jobs/${id}`
  return [{ id, name: 'test', status, allow_failure: false, web_url }]
}

/** `public_jobs` shows jobs to non-members. */
function projectWithJobs(call: OfProject<User | null>) {
  const { project } = readableProject(call)
  if (!project.public_jobs && projectLevel(call.world, call.caller, project) === 0) throw forbidden()
  return { project }
}

function branchName(ref: string) {
  return ref.replace(/^refs\/heads\//, '')
}

function showStatus(world: World, status: CommitStatus) {
  return { ...shownFields(statusSchema, status), author: showUserById(world, status.author_id) }
}
