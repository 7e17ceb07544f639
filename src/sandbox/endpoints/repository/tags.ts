// Tags of a repository.
import type { z } from 'zod'
import type { Api } from '../../../api/index.ts'
import type { tag as tagSchema } from '../../../api/schemas/repository.ts'
import { developer, findProjectToChange, findReadableProject } from '../../access/access.ts'
import { isRefName, noCommit } from '../../git/names.ts'
import { readCommits } from '../../git/read-commits.ts'
import { moveRef, resolveCommit } from '../../git/refs.ts'
import { type GitTag, readTag, readTags, writeTag } from '../../git/tags.ts'
import { notFound, refuse } from '../../http/error-response.ts'
import { type Handlers, pageOf } from '../../http/handler.ts'
import { refuseByPushRule } from '../../pushes/check-push.ts'
import { announceRefs } from '../../pushes/follow-pushes.ts'
import type { Project } from '../../records/records.ts'
import { showCommit } from '../../records/show-records.ts'
import type { World } from '../../storage/world.ts'
import { nameMatches } from './find.ts'

export const tags: Handlers<Api['repository']['tags']> = {
  async list({ params, caller, world }) {
    const project = findReadableProject(world, caller, params.id)
    const matches = nameMatches(params.search)
    const found = (await readTags(world, project.id)).filter(({ name }) => matches(name))
    const { items, total } = await pageOf(found, params, (tag) => tag)
    return { items: await showTags(world, project, items), total }
  },

  async get({ params, caller, world }) {
    return showFound(world, findReadableProject(world, caller, params.id), params.tag_name)
  },

  async create({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, developer)
    const { tag_name: name, message } = params
    if (!isRefName(name)) throw refuse(400, 'Tag name invalid')
    const commit = await resolveCommit(world, project.id, params.ref)
    if (commit === undefined) throw refuse(400, `Target ${params.ref} is invalid`)
    const ref = `refs/tags/${name}`
    await refuseByPushRule(world, project, [{ ref, before: noCommit, after: commit }])
    const annotated = message !== undefined && message.trim() !== ''
    const target = annotated ? await writeTag(world, project.id, { name, commit, message, tagger: caller }) : commit
    if (!(await moveRef(world, project.id, ref, noCommit, target))) {
      const exists = (await readTag(world, project.id, name)) !== undefined
      throw refuse(400, exists ? `Tag ${name} already exists` : 'Tag name conflicts with an existing tag')
    }
    await announceRefs(world, project.id, caller, [ref])
    return showFound(world, project, name)
  },

  /** `deny_delete_tag` applies to git push only, as in GitLab. */
  async delete({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, developer)
    const tag = await readTag(world, project.id, params.tag_name)
    if (tag === undefined) throw notFound('Tag')
    const ref = `refs/tags/${params.tag_name}`
    if (!(await moveRef(world, project.id, ref, tag.target, noCommit))) throw refuse(409, 'The tag has moved')
    await announceRefs(world, project.id, caller, [ref])
    return null
  },
}

async function showFound(world: World, project: Project, name: string): Promise<z.output<typeof tagSchema>> {
  const tag = await readTag(world, project.id, name)
  const [shown] = tag === undefined ? [] : await showTags(world, project, [tag])
  if (shown === undefined) throw notFound('Tag')
  return shown
}

async function showTags(
  world: World,
  project: Project,
  found: readonly GitTag[],
): Promise<z.output<typeof tagSchema>[]> {
  const shas = [...new Set(found.map(({ commit }) => commit))]
  const commits = new Map((await readCommits(world, project.id, shas)).map((commit) => [commit.id, showCommit(commit)]))
  return found.flatMap(({ name, message, target, commit: sha }) => {
    const commit = commits.get(sha)
    return commit === undefined ? [] : [{ name, message, target, commit }]
  })
}
