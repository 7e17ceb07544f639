// Branches and tags of a repository, as in GitLab.
import type { Api } from '../../../api/index.ts'
import { developer, projectToChange, readableProject } from '../../access/access.ts'
import {
  branchesMergedInto,
  branchHead,
  branchOf,
  type GitTag,
  isRefName,
  readRefs,
  readTag,
  readTags,
  resolveCommit,
  writeTag,
} from '../../git/refs.ts'
import { orNotFound, refuse } from '../../http/error-response.ts'
import { type Handlers, on, pageOf } from '../../http/handler.ts'
import {
  isForDevelopers,
  mayPushTo,
  protectionsOf,
  refuseProtected,
  refuseProtectedDeletion,
} from '../../pushes/protected-branches.ts'
import type { Project, User } from '../../records/records.ts'
import type { World } from '../../storage/world.ts'
import { createRef, deleteRef, nameMatches, showWithCommits } from './find.ts'

export const branches: Handlers<Api['repository']['branches']> = {
  list: on(readableProject, async ({ project, params, caller, world }) => {
    const matches = nameMatches(params.search)
    const heads = Object.entries(await readRefs(world, project.id))
      .map(([ref, commit]) => ({ name: branchOf(ref) ?? '', commit }))
      .filter(({ name }) => name !== '' && matches(name))
    const { items, total } = await pageOf(heads, params, (head) => head)
    return { items: await showBranches(world, project, caller, items), total }
  }),

  get: on(readableProject, ({ project, params, caller, world }) => findBranch(world, project, caller, params.branch)),

  create: on(projectToChange(developer), async ({ project, params, caller, world }) => {
    if (!isRefName(params.branch)) throw refuse(400, 'Branch name is invalid')
    refuseProtected(world, project, caller, params.branch)
    const commit = await resolveCommit(world, project.id, params.ref)
    if (commit === undefined) throw refuse(400, `Invalid reference name: ${params.ref}`)
    if (!(await createRef(world, project, caller, { ref: `refs/heads/${params.branch}`, commit }))) {
      const exists = (await branchHead(world, project.id, params.branch)) !== undefined
      throw refuse(400, exists ? 'Branch already exists' : 'Branch name conflicts with an existing branch')
    }
    return findBranch(world, project, caller, params.branch)
  }),

  delete: on(projectToChange(developer), async ({ project, params, caller, world }) => {
    const sha = orNotFound(await branchHead(world, project.id, params.branch), 'Branch')
    if (params.branch === project.default_branch) throw refuse(405, 'Cannot remove HEAD branch')
    refuseProtectedDeletion(world, project, caller, params.branch)
    return deleteRef(world, project, caller, `refs/heads/${params.branch}`, sha)
  }),
}

async function findBranch(world: World, project: Project, caller: User | null, name: string) {
  const commit = orNotFound(await branchHead(world, project.id, name), 'Branch')
  return orNotFound((await showBranches(world, project, caller, [{ name, commit }]))[0], 'Branch')
}

async function showBranches(
  world: World,
  project: Project,
  caller: User | null,
  heads: readonly { name: string; commit: string }[],
) {
  const merged = await branchesMergedInto(world, project.id, project.default_branch)
  return showWithCommits(world, project, heads, ({ name }, commit) => {
    const isDefault = name === project.default_branch
    const protections = protectionsOf(world, project, name)
    return {
      name,
      merged: merged.has(name) && !isDefault,
      protected: protections.length > 0,
      default: isDefault,
      can_push: caller !== null && mayPushTo(world, project, caller, name),
      developers_can_push: protections.some((each) => isForDevelopers(each, 'push')),
      developers_can_merge: protections.some((each) => isForDevelopers(each, 'merge')),
      commit,
    }
  })
}

export const tags: Handlers<Api['repository']['tags']> = {
  list: on(readableProject, async ({ project, params, world }) => {
    const matches = nameMatches(params.search)
    const found = (await readTags(world, project.id)).filter(({ name }) => matches(name))
    const { items, total } = await pageOf(found, params, (tag) => tag)
    return { items: await showTags(world, project, items), total }
  }),

  get: on(readableProject, ({ project, params, world }) => showFound(world, project, params.tag_name)),

  create: on(projectToChange(developer), async ({ project, params, caller, world }) => {
    const { tag_name: name, message } = params
    if (!isRefName(name)) throw refuse(400, 'Tag name invalid')
    const commit = await resolveCommit(world, project.id, params.ref)
    if (commit === undefined) throw refuse(400, `Target ${params.ref} is invalid`)
    const annotated = message !== undefined && message.trim() !== ''
    const target = annotated ? await writeTag(world, project.id, { name, commit, message, tagger: caller }) : commit
    if (!(await createRef(world, project, caller, { ref: `refs/tags/${name}`, commit, target }))) {
      const exists = (await readTag(world, project.id, name)) !== undefined
      throw refuse(400, exists ? `Tag ${name} already exists` : 'Tag name conflicts with an existing tag')
    }
    return showFound(world, project, name)
  }),

  /** `deny_delete_tag` applies to git push only, as in GitLab. */
  delete: on(projectToChange(developer), async ({ project, params, caller, world }) => {
    const tag = orNotFound(await readTag(world, project.id, params.tag_name), 'Tag')
    return deleteRef(world, project, caller, `refs/tags/${params.tag_name}`, tag.target)
  }),
}

async function showFound(world: World, project: Project, name: string) {
  const tag = orNotFound(await readTag(world, project.id, name), 'Tag')
  return orNotFound((await showTags(world, project, [tag]))[0], 'Tag')
}

function showTags(world: World, project: Project, tags: readonly GitTag[]) {
  return showWithCommits(world, project, tags, ({ name, message, target }, commit) => ({
    name,
    message,
    target,
    commit,
    // Tags cannot be protected here.
    protected: false,
  }))
}
