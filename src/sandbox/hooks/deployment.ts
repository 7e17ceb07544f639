// Deployment payloads (hosting-service.md §2.5).
import { pick } from '../records/fields.ts'
import type { Deployment } from '../records/records.ts'
import { projectById, userById, type World } from '../storage/world.ts'
import { hookCommitOf, hookProject, hookUser } from './parts.ts'

export async function sendDeployment(world: World, deployment: Deployment): Promise<void> {
  const project = projectById(world, deployment.project_id)
  const user = userById(world, deployment.user_id)
  const { title, url } = await hookCommitOf(world, project, deployment.sha)
  world.send({
    projectId: project.id,
    flag: 'deployment_events',
    name: 'Deployment Hook',
    payload: {
      object_kind: 'deployment',
      ...pick(deployment, 'status', 'environment', 'ref'),
      status_changed_at: `${deployment.updated_at.slice(0, 19).replace('T', ' ')} +0000`,
      deployment_id: deployment.id,
      // An outside system deploys: there is no job.
      deployable_id: null,
      deployable_url: null,
      environment_slug: deployment.environment.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
      environment_external_url: null,
      project: hookProject(world, project),
      short_sha: deployment.sha.slice(0, 8),
      user: hookUser(user),
      user_url: `${world.url}/${user.username}`,
      commit_url: url,
      commit_title: title,
    },
  })
}
