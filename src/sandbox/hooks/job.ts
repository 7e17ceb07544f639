// Job payloads (hosting-service.md §2.5): flat, and `commit.id` is the pipeline's id.
import { noCommit } from '../git/names.ts'
import { readCommit } from '../git/read-commits.ts'
import type { CommitStatus, Pipeline } from '../records.ts'
import { showNamespace } from '../show.ts'
import { projectById, userById, type World } from '../world.ts'
import { hookGitRepository, hookProject, hookTime, hookUser } from './parts.ts'

const secondsBetween = (start: string | null, end: string | null): number | null =>
  start === null || end === null ? null : (Date.parse(end) - Date.parse(start)) / 1000
const timeOrNull = (time: string | null): string | null => (time === null ? null : hookTime(time))

/** Sends the hook of a commit status that changed. */
export async function sendJob(world: World, status: CommitStatus, pipeline: Pipeline): Promise<void> {
  const project = projectById(world, status.project_id)
  if (!world.hooks.where('project', project.id).some((hook) => hook.job_events)) return
  const retries = world.statuses.where('pipeline', pipeline.id).filter((each) => each.name === status.name && each.retried)
  const { message, author_name, author_email } = await readCommit(world, project.id, status.sha)
  world.send({
    projectId: project.id,
    flag: 'job_events',
    name: 'Job Hook',
    payload: {
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
      build_started_at: timeOrNull(status.started_at),
      build_finished_at: timeOrNull(status.finished_at),
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
        finished_at: timeOrNull(pipeline.finished_at),
      },
      repository: hookGitRepository(world, project),
      project: hookProject(world, project),
      environment: null,
    },
  })
}
