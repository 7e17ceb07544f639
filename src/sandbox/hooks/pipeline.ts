// Pipeline payloads (hosting-service.md §2.4): pipelines of a branch or tag, so `merge_request` is null even where one is open.
import type { CommitStatus, Pipeline, Project } from '../records.ts'
import { projectById, userById, type World } from '../world.ts'
import { hookCommitOf, hookProject, hookTime, hookUser } from './parts.ts'

/** Sends the hook of a pipeline whose status moved. */
export async function sendPipeline(world: World, pipeline: Pipeline): Promise<void> {
  const project = projectById(world, pipeline.project_id)
  const user = hookUser(userById(world, pipeline.user_id))
  const statuses = world.statuses.where('pipeline', pipeline.id).filter((status) => !status.retried)
  world.send({
    projectId: project.id,
    flag: 'pipeline_events',
    name: 'Pipeline Hook',
    payload: {
      object_kind: 'pipeline',
      object_attributes: {
        id: pipeline.id,
        iid: pipeline.iid,
        name: null,
        ref: pipeline.ref,
        tag: isTag(project, pipeline.ref),
        sha: pipeline.sha,
        before_sha: '0'.repeat(40),
        source: pipeline.source,
        status: pipeline.status,
        detailed_status: pipeline.status === 'success' ? 'passed' : pipeline.status,
        stages: ['external'],
        created_at: hookTime(pipeline.created_at),
        finished_at: pipeline.finished_at === null ? null : hookTime(pipeline.finished_at),
        duration: duration(pipeline.created_at, pipeline.finished_at),
        queued_duration: null,
        variables: [],
        url: `${world.url}/${project.path_with_namespace}/-/pipelines/${pipeline.id}`,
      },
      merge_request: null,
      user,
      project: hookProject(world, project),
      commit: await hookCommitOf(world, project, pipeline.sha),
      builds: statuses.map((status) => build(world, status)),
    },
  })
}

function isTag({ known_refs }: Project, ref: string): boolean {
  return known_refs[`refs/tags/${ref}`] !== undefined && known_refs[`refs/heads/${ref}`] === undefined
}

function duration(start: string | null, end: string | null): number | null {
  return start === null || end === null ? null : Math.round((Date.parse(end) - Date.parse(start)) / 1000)
}

function build(world: World, status: CommitStatus): Record<string, unknown> {
  return {
    id: status.id,
    stage: 'external',
    name: status.name,
    status: status.status,
    created_at: hookTime(status.created_at),
    started_at: status.started_at === null ? null : hookTime(status.started_at),
    finished_at: status.finished_at === null ? null : hookTime(status.finished_at),
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
