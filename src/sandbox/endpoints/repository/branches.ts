// Branches of a repository, as in GitLab.
import type { z } from 'zod'
import type { Api } from '../../../api/index.ts'
import type { branch as branchSchema } from '../../../api/schemas/repository.ts'
import { developer, findProjectToChange, findReadableProject } from '../../access/access.ts'
import { isRefName, noCommit } from '../../git/names.ts'
import { readCommits } from '../../git/read-commits.ts'
import { branchesMergedInto, branchHead, moveRef, readRefs, resolveCommit } from '../../git/refs.ts'
import { notFound, refuse } from '../../http/error-response.ts'
import { type Handlers, pageOf } from '../../http/handler.ts'
import { refuseByPushRule } from '../../pushes/check-push.ts'
import { announceRefs } from '../../pushes/follow-pushes.ts'
import type { Project } from '../../records/records.ts'
import { showCommit } from '../../records/show-records.ts'
import type { World } from '../../storage/world.ts'
import { nameMatches } from './find.ts'

interface Head {
  name: string
  sha: string
}

export const branches: Handlers<Api['repository']['branches']> = {
  async list({ params, caller, world }) {
    const project = findReadableProject(world, caller, params.id)
    const matches = nameMatches(params.search)
    const heads = Object.entries(await readRefs(world, project.id))
      .filter(([ref]) => ref.startsWith('refs/heads/'))
      .map(([ref, sha]) => ({ name: ref.slice('refs/heads/'.length), sha }))
      .filter(({ name }) => matches(name))
    const { items, total } = await pageOf(heads, params, (head) => head)
    return { items: await showBranches(world, project, items), total }
  },

  async get({ params, caller, world }) {
    return findBranch(world, findReadableProject(world, caller, params.id), params.branch)
  },

  async create({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, developer)
    if (!isRefName(params.branch)) throw refuse(400, 'Branch name is invalid')
    const sha = await resolveCommit(world, project.id, params.ref)
    if (sha === undefined) throw refuse(400, `Invalid reference name: ${params.ref}`)
    const ref = `refs/heads/${params.branch}`
    await refuseByPushRule(world, project, [{ ref, before: noCommit, after: sha }])
    if (!(await moveRef(world, project.id, ref, noCommit, sha))) {
      const exists = (await branchHead(world, project.id, params.branch)) !== undefined
      throw refuse(400, exists ? 'Branch already exists' : 'Branch name conflicts with an existing branch')
    }
    await announceRefs(world, project.id, caller, [ref])
    return findBranch(world, project, params.branch)
  },

  async delete({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, developer)
    const sha = await branchHead(world, project.id, params.branch)
    if (sha === undefined) throw notFound('Branch')
    if (params.branch === project.default_branch) throw refuse(405, 'Cannot remove HEAD branch')
    const ref = `refs/heads/${params.branch}`
    if (!(await moveRef(world, project.id, ref, sha, noCommit))) throw refuse(409, 'The branch has moved')
    await announceRefs(world, project.id, caller, [ref])
    return null
  },
}

async function findBranch(world: World, project: Project, name: string): Promise<z.output<typeof branchSchema>> {
  const sha = await branchHead(world, project.id, name)
  const [shown] = sha === undefined ? [] : await showBranches(world, project, [{ name, sha }])
  if (shown === undefined) throw notFound('Branch')
  return shown
}

async function showBranches(
  world: World,
  project: Project,
  heads: readonly Head[],
): Promise<z.output<typeof branchSchema>[]> {
  const shas = [...new Set(heads.map(({ sha }) => sha))]
  const commits = new Map((await readCommits(world, project.id, shas)).map((commit) => [commit.id, showCommit(commit)]))
  const merged = await branchesMergedInto(world, project.id, project.default_branch)
  return heads.flatMap(({ name, sha }) => {
    const commit = commits.get(sha)
    const isDefault = name === project.default_branch
    return commit === undefined
      ? []
      : [{ name, merged: merged.has(name) && !isDefault, protected: false, default: isDefault, commit }]
  })
}
