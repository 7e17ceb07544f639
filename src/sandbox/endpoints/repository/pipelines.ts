// Commit statuses and pipelines of a project.
import type { Api } from '../../../api/index.ts'
import { commitStatus as statusSchema } from '../../../api/schemas/repository.ts'
import { developer, findOf, findProjectToChange, findReadableProject, projectLevel } from '../../access/access.ts'
import { branchHead, branchWith, isRefName } from '../../git/refs.ts'
import { badParameter, forbidden, invalid, notFound } from '../../http/error-response.ts'
import { type Handlers, pageOf } from '../../http/handler.ts'
import { showPipeline } from '../../merge-requests/show.ts'
import { cancelPipeline, postStatus } from '../../pipelines/pipelines.ts'
import { retryPipeline, startOfBranch } from '../../pipelines/scripted-ci.ts'
import { shownFields } from '../../records/fields.ts'
import type { CommitStatus, PipelineRecord, User } from '../../records/records.ts'
import { showUserById } from '../../records/show-records.ts'
import { projectById, type World } from '../../storage/world.ts'
import { findCommit } from './find.ts'

export const statuses: Handlers<Api['repository']['statuses']> = {
  async list({ params, caller, world }) {
    const project = findProjectWithJobs(world, caller, params.id)
    const sha = await findCommit(world, project, params.sha)
    const found = world.pipelines
      .where('sha', `${project.id}:${sha}`)
      .flatMap((pipeline) => world.statuses.where('pipeline', pipeline.id))
      .filter((status) => params.all || !status.retried)
      .filter((status) => params.ref === undefined || status.ref === branchName(params.ref))
      .filter((status) => params.name === undefined || status.name === params.name)
      .sort((one, other) => one.id - other.id)
    return pageOf(found, params, (status) => showStatus(world, status))
  },

  async create({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, developer)
    const sha = await findCommit(world, project, params.sha)
    const pipeline = params.pipeline_id === undefined ? undefined : world.pipelines.get(params.pipeline_id)
    const named = params.ref === undefined ? pipeline?.ref : branchName(params.ref)
    const ref = named ?? (await branchWith(world, project.id, sha))
    if (ref === undefined) throw notFound('References for commit')
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
  },
}

export const pipelines: Handlers<Api['repository']['pipelines']> = {
  list({ params, caller, world }) {
    const project = findProjectWithJobs(world, caller, params.id)
    const found = world.pipelines
      .where('project', project.id)
      .filter((pipeline) => params.ref === undefined || pipeline.ref === branchName(params.ref))
      .filter((pipeline) => params.sha === undefined || pipeline.sha === params.sha)
      .filter((pipeline) => params.status === undefined || pipeline.status === params.status)
      .reverse()
    return pageOf(found, params, (each) => showPipeline(world, each))
  },

  get({ params, caller, world }) {
    return showPipeline(world, findToRead(world, caller, params))
  },

  jobs({ params, caller, world }) {
    const { scope } = params
    const found = jobsOf(world, findToRead(world, caller, params))
    return pageOf(
      found.filter(({ status }) => scope?.includes(status) ?? true),
      params,
      (each) => each,
    )
  },

  async create({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, developer)
    const branch = branchName(params.ref)
    const sha = await branchHead(world, project.id, branch)
    if (sha === undefined) throw invalid('base', 'Reference not found')
    const pipeline = await startOfBranch(world, project, caller, { branch, sha })
    if (pipeline === undefined) throw invalid('base', 'Missing CI config file')
    return showPipeline(world, pipeline)
  },

  async retry({ params, caller, world }) {
    return showPipeline(world, await retryPipeline(world, findToChange(world, caller, params)))
  },

  async cancel({ params, caller, world }) {
    return showPipeline(world, await cancelPipeline(world, findToChange(world, caller, params)))
  },
}

function findToRead(world: World, caller: User | null, params: { id: number | string; pipeline_id: number }) {
  return findOf(findProjectWithJobs(world, caller, params.id), world.pipelines, params.pipeline_id)
}

/** The one job of a scripted pipeline; none for commit statuses, as in GitLab. */
function jobsOf(world: World, { id, status, project_id, script_id }: PipelineRecord) {
  if (script_id === undefined) return []
  const web_url = `${world.url}/${projectById(world, project_id).path_with_namespace}/-/jobs/${id}`
  return [{ id, name: 'test', status, allow_failure: false, web_url }]
}

function findToChange(world: World, caller: User, params: { id: number | string; pipeline_id: number }) {
  return findOf(findProjectToChange(world, caller, params.id, developer), world.pipelines, params.pipeline_id)
}

/** `public_jobs` shows jobs to non-members. */
function findProjectWithJobs(world: World, caller: User | null, id: number | string) {
  const project = findReadableProject(world, caller, id)
  if (!project.public_jobs && projectLevel(world, caller, project) === 0) throw forbidden()
  return project
}

function branchName(ref: string) {
  return ref.replace(/^refs\/heads\//, '')
}

function showStatus(world: World, status: CommitStatus) {
  return { ...shownFields(statusSchema, status), author: showUserById(world, status.author_id) }
}
