// Tags of a repository.
import type { Api } from '../../../api/index.ts'
import { developer, projectToChange, readableProject } from '../../access/access.ts'
import { type GitTag, isRefName, readTag, readTags, resolveCommit, writeTag } from '../../git/refs.ts'
import { orNotFound, refuse } from '../../http/error-response.ts'
import { type Handlers, on, pageOf } from '../../http/handler.ts'
import type { Project } from '../../records/records.ts'
import type { World } from '../../storage/world.ts'
import { createRef, deleteRef, nameMatches, showWithCommits } from './find.ts'

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
