// Job payloads: `commit.id` is the pipeline's id.
import { noCommit } from '../git/names.ts'
import { readCommit } from '../git/read-commits.ts'
import type { CommitStatus, PipelineRecord } from '../records/records.ts'
import { showNamespace } from '../records/show-records.ts'
import { projectById, userById, type World } from '../storage/world.ts'
import { hasHook, hookGitRepository, hookTime, hookUser, secondsBetween } from './parts.ts'

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
