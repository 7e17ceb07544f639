// Deployments that outside systems record: who may read the code reads them, developers write them, as in GitLab.
import type { Api } from '../../api/index.ts'
import { developer, findOf, findProjectToChange } from '../access/access.ts'
import { resolveCommit } from '../git/refs.ts'
import { sendDeployment } from '../hooks/resources.ts'
import { invalid } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import { pick } from '../records/fields.ts'
import type { Deployment } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

export const deployments: Handlers<Api['deployments']> = {
  async create({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, developer)
    const sha = await resolveCommit(world, project.id, params.sha)
    if (sha === undefined) throw invalid('sha', 'The commit does not exist')
    const time = now(world)
    const deployment = world.deployments.add({
      id: nextNumber(world, 'deployments'),
      iid: nextNumber(world, `deployments of ${project.id}`),
      project_id: project.id,
      ...pick(params, 'environment', 'ref', 'status'),
      sha,
      user_id: caller.id,
      created_at: time,
      updated_at: time,
    })
    await sendDeployment(world, deployment)
    return showDeployment(world, deployment)
  },

  async update({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, developer)
    const found = findOf(project, world.deployments, params.deployment_id)
    if (found.status === params.status) throw invalid('status', `Cannot transition status to ${params.status}`)
    const deployment = world.deployments.update(found.id, { status: params.status, updated_at: now(world) })
    await sendDeployment(world, deployment)
    return showDeployment(world, deployment)
  },
}

function showDeployment(world: World, deployment: Deployment) {
  return {
    ...pick(deployment, 'id', 'iid', 'ref', 'sha', 'status', 'created_at', 'updated_at'),
    user: showUserById(world, deployment.user_id),
    environment: { name: deployment.environment },
  }
}
