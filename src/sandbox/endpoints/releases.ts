// Releases, and deployments that outside systems record: who may read the code reads them, developers write them.
import type { Api } from '../../api/index.ts'
import { developer, findOf, projectToChange, readableProject } from '../access/access.ts'
import { readCommit } from '../git/read-commits.ts'
import { isRefName, readTag, resolveCommit } from '../git/refs.ts'
import { sendDeployment, sendRelease } from '../hooks/resources.ts'
import { invalid, orNotFound, refuse } from '../http/error-response.ts'
import { type Handlers, on, pageOf } from '../http/handler.ts'
import { pick } from '../records/fields.ts'
import type { Deployment, Project, Release, User } from '../records/records.ts'
import { showCommit, showUserById } from '../records/show-records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import { createRef } from './repository/find.ts'

export const releases: Handlers<Api['releases']> = {
  list: on(readableProject, ({ project: { id }, params, world }) =>
    pageOf([...world.releases.where('project', id)].reverse(), params, (each) => showRelease(world, each)),
  ),

  get: on(readableProject, ({ project, params, world }) =>
    showRelease(world, findRelease(world, project, params.tag_name)),
  ),

  create: on(projectToChange(developer), async ({ project, params, caller, world }) => {
    const { tag_name, name = tag_name, description = null } = params
    const sha = await commitOfTag(world, project, caller, params)
    if (releaseOf(world, project, tag_name) !== undefined) throw refuse(409, 'Release already exists')
    const release = world.releases.add({
      id: nextNumber(world, 'releases'),
      project_id: project.id,
      tag_name,
      sha,
      name,
      description,
      author_id: caller.id,
      links: (params.assets?.links ?? []).map((link) => ({ id: nextNumber(world, 'release links'), ...link })),
      created_at: now(world),
    })
    await sendRelease(world, release, 'create')
    return showRelease(world, release)
  }),

  update: on(projectToChange(developer), async ({ project, params, world }) => {
    const found = findRelease(world, project, params.tag_name)
    const release = world.releases.update(found.id, pick(params, 'name', 'description'))
    await sendRelease(world, release, 'update')
    return showRelease(world, release)
  }),

  delete: on(projectToChange(developer), async ({ project, params, world }) => {
    const release = findRelease(world, project, params.tag_name)
    world.releases.remove(release.id)
    await sendRelease(world, release, 'delete')
    return showRelease(world, release)
  }),
}

function releaseOf(world: World, project: Project, tag: string): Release | undefined {
  return world.releases.where('project', project.id).find((each) => each.tag_name === tag)
}

function findRelease(world: World, project: Project, tag: string): Release {
  return orNotFound(releaseOf(world, project, tag))
}

/** Throws 400 and 422 for a tag that neither exists nor can be created. */
async function commitOfTag(
  world: World,
  project: Project,
  caller: User,
  { tag_name, ref }: { tag_name: string; ref?: string },
): Promise<string> {
  const tag = await readTag(world, project.id, tag_name)
  if (tag !== undefined) return tag.commit
  if (ref === undefined) throw refuse(422, 'Ref is not specified')
  if (!isRefName(tag_name)) throw refuse(400, 'Tag name invalid')
  const commit = await resolveCommit(world, project.id, ref)
  if (commit === undefined) throw refuse(400, `Target ${ref} is invalid`)
  if (!(await createRef(world, project, caller, { ref: `refs/tags/${tag_name}`, commit })))
    throw refuse(400, 'Tag name conflicts with an existing tag')
  return commit
}

async function showRelease(world: World, release: Release) {
  const links = release.links.map((link) => ({ ...link, direct_asset_url: link.url }))
  return {
    ...pick(release, 'tag_name', 'name', 'description', 'created_at'),
    released_at: release.created_at,
    author: showUserById(world, release.author_id),
    commit: showCommit(await readCommit(world, release.project_id, release.sha)),
    // The sandbox packs no sources.
    assets: { count: links.length, sources: [], links },
  }
}

export const deployments: Handlers<Api['deployments']> = {
  create: on(projectToChange(developer), async ({ project, params, caller, world }) => {
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
  }),

  update: on(projectToChange(developer), async ({ project, params, world }) => {
    const found = findOf(project, world.deployments, params.deployment_id)
    if (found.status === params.status) throw invalid('status', `Cannot transition status to ${params.status}`)
    const deployment = world.deployments.update(found.id, { status: params.status, updated_at: now(world) })
    await sendDeployment(world, deployment)
    return showDeployment(world, deployment)
  }),
}

function showDeployment(world: World, deployment: Deployment) {
  return {
    ...pick(deployment, 'id', 'iid', 'ref', 'sha', 'status', 'created_at', 'updated_at'),
    user: showUserById(world, deployment.user_id),
    environment: { name: deployment.environment },
  }
}
