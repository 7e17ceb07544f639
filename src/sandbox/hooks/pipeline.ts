// Pipeline payloads: `merge_request` is null for a branch's pipeline.
import { readCommit } from '../git/read-commits.ts'
import { noCommit } from '../git/refs.ts'
import { detailedMergeStatus, mergeRequestUrl, pipelineUrl } from '../merge-requests/status.ts'
import { pick } from '../records/fields.ts'
import type { CommitStatus, MergeRequest, PipelineRecord, Project } from '../records/records.ts'
import { showNamespace } from '../records/show-records.ts'
import { projectById, userById, type World } from '../storage/world.ts'
import { hasHook, hookCommitOf, hookGitRepository, hookTime, hookUser, secondsBetween } from './parts.ts'

export async function sendPipeline(world: World, pipeline: PipelineRecord): Promise<void> {
  const project = projectById(world, pipeline.project_id)
  const user = hookUser(userById(world, pipeline.user_id))
  const mr = world.mergeRequests.get(pipeline.merge_request_id)
  const statuses = world.statuses.where('pipeline', pipeline.id).filter((status) => !status.retried)
  world.send(project, 'pipeline_events', {
    object_kind: 'pipeline',
    object_attributes: {
      ...pick(pipeline, 'id', 'iid', 'sha', 'source', 'status'),
      name: null,
      ref: mr?.source_branch ?? pipeline.ref,
      tag: isTag(project, pipeline.ref),
      before_sha: noCommit,
      detailed_status: pipeline.status === 'success' ? 'passed' : pipeline.status,
      stages: [pipeline.source === 'external' ? 'external' : 'test'],
      created_at: hookTime(pipeline.created_at),
      finished_at: hookTime(pipeline.finished_at),
      duration: duration(pipeline.created_at, pipeline.finished_at),
      queued_duration: null,
      variables: [],
      url: pipelineUrl(world, pipeline),
    },
    merge_request: mr === undefined ? null : hookLink(world, mr),
    source_pipeline: pipeline.parent_id === undefined ? undefined : parentOf(world, project, pipeline.parent_id),
    user,
    commit: await hookCommitOf(world, project, pipeline.sha),
    builds: statuses.map((status) => build(world, status)),
  })
}

function hookLink(world: World, mr: MergeRequest): Record<string, unknown> {
  const same = ['id', 'iid', 'title', 'source_branch', 'source_project_id', 'target_branch'] as const
  return {
    ...pick(mr, ...same, 'state', 'merge_status'),
    target_project_id: mr.project_id,
    detailed_merge_status: detailedMergeStatus(world, mr),
    url: mergeRequestUrl(world, mr),
  }
}

function parentOf(world: World, { id, path_with_namespace }: Project, pipelineId: number): Record<string, unknown> {
  return {
    project: { id, web_url: `${world.url}/${path_with_namespace}`, path_with_namespace },
    pipeline_id: pipelineId,
    job_id: null,
  }
}

function isTag({ known_refs }: Project, ref: string) {
  return known_refs[`refs/tags/${ref}`] !== undefined && known_refs[`refs/heads/${ref}`] === undefined
}

function duration(start: string | null, end: string | null): number | null {
  const seconds = secondsBetween(start, end)
  return seconds === null ? null : Math.round(seconds)
}

function build(world: World, status: CommitStatus): Record<string, unknown> {
  return {
    ...pick(status, 'id', 'name', 'status'),
    stage: 'external',
    created_at: hookTime(status.created_at),
    started_at: hookTime(status.started_at),
    finished_at: hookTime(status.finished_at),
    duration: duration(status.started_at, status.finished_at),
    queued_duration: null,
    failure_reason: status.status === 'failed' ? 'unknown_failure' : null,
    when: 'on_success',
    manual: false,
    allow_failure: false,
    user: hookUser(userById(world, status.author_id)),
    runner: null,
    artifacts_file: { filename: null, size: null },
    environment: null,
  }
}

export async function sendJob(world: World, status: CommitStatus, pipeline: PipelineRecord): Promise<void> {
  const project = projectById(world, status.project_id)
  if (!hasHook(world, project.id, 'job_events')) return
  const retries = world.statuses
    .where('pipeline', pipeline.id)
    .filter((each) => each.name === status.name && each.retried)
  const { message, author_name, author_email } = await readCommit(world, project.id, status.sha)
  world.send(project, 'job_events', {
    object_kind: 'build',
    ref: status.ref,
    tag: false,
    before_sha: noCommit,
    sha: status.sha,
    retries_count: retries.length,
    build_id: status.id,
    build_name: status.name,
    build_stage: 'external',
    build_status: status.status,
    build_created_at: hookTime(status.created_at),
    build_started_at: hookTime(status.started_at),
    build_finished_at: hookTime(status.finished_at),
    build_duration: secondsBetween(status.started_at, status.finished_at),
    build_queued_duration: secondsBetween(status.created_at, status.started_at),
    build_allow_failure: false,
    build_failure_reason: status.status === 'failed' ? 'unknown_failure' : null,
    pipeline_id: pipeline.id,
    runner: null,
    project_id: project.id,
    project_name: `${showNamespace(world, project.namespace_id).full_name} / ${project.name}`,
    user: hookUser(userById(world, status.author_id)),
    commit: {
      id: pipeline.id,
      name: null,
      sha: status.sha,
      message,
      author_name,
      author_email,
      author_url: `mailto:${author_email}`,
      status: pipeline.status,
      duration: secondsBetween(pipeline.created_at, pipeline.finished_at),
      started_at: hookTime(pipeline.created_at),
      finished_at: hookTime(pipeline.finished_at),
    },
    repository: hookGitRepository(world, project),
    environment: null,
  })
}
