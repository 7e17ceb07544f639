// Branches, commits, files, commit statuses and pipelines of a project's repository.
import type { Api } from '../../api/index.ts'
import { developer, findProjectFor, findReadableProject } from '../access.ts'
import { commitFiles } from '../git/commit-files.ts'
import { isFilePath, isRefName, noCommit } from '../git/names.ts'
import { lastCommitOf, readCommit, readCommits, readFile } from '../git/read-commits.ts'
import { branchesMergedInto, branchHead, branchWith, moveRef, readRefs, resolveCommit } from '../git/refs.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { showPipeline } from '../merge-requests/show.ts'
import { postStatus } from '../pipelines.ts'
import { refuseByPushRule } from '../push-rules/check-push.ts'
import { announceRefs } from '../pushes.ts'
import type { Project } from '../records.ts'
import { badParameter, notFound, refuse } from '../refusal.ts'
import { showCommit, showUserSummary } from '../show.ts'
import { userById, type World } from '../world.ts'
import { unserved } from './unserved.ts'

export const repository: Handlers<Api['repository']> = {
  branches: {
    async list({ params, caller, world }) {
      const project = findReadableProject(world, caller, params.id)
      const heads = Object.entries(await readRefs(world, project.id))
        .filter(([ref]) => ref.startsWith('refs/heads/'))
        .map(([ref, sha]) => ({ name: ref.slice('refs/heads/'.length), sha }))
        .filter(({ name }) => name.includes(params.search ?? ''))
      const merged = await branchesMergedInto(world, project.id, project.default_branch)
      return pageOf(heads, params, ({ name, sha }) => showBranch(world, project, name, sha, merged))
    },

    async get({ params, caller, world }) {
      const project = findReadableProject(world, caller, params.id)
      return findBranch(world, project, params.branch)
    },

    async create({ params, caller, world }) {
      const project = findProjectFor(world, caller, params.id, developer)
      if (!isRefName(params.branch)) throw refuse(400, 'Branch name is invalid')
      const sha = await resolveCommit(world, project.id, params.ref)
      if (sha === undefined) throw refuse(400, `Invalid reference name: ${params.ref}`)
      const ref = `refs/heads/${params.branch}`
      await refuseByPushRule(world, project, [{ ref, before: noCommit, after: sha }])
      if (!(await moveRef(world, project.id, ref, noCommit, sha))) throw refuse(400, 'Branch already exists')
      await announceRefs(world, project.id, caller, [ref])
      return findBranch(world, project, params.branch)
    },

    async delete({ params, caller, world }) {
      const project = findProjectFor(world, caller, params.id, developer)
      const sha = await branchHead(world, project.id, params.branch)
      if (sha === undefined) throw notFound('Branch')
      if (params.branch === project.default_branch) throw refuse(405, 'Cannot remove HEAD branch')
      const ref = `refs/heads/${params.branch}`
      if (!(await moveRef(world, project.id, ref, sha, noCommit))) throw refuse(409, 'The branch has moved')
      await announceRefs(world, project.id, caller, [ref])
      return null
    },
  },

  tags: { list: unserved, get: unserved, create: unserved, delete: unserved },

  commits: {
    list: unserved,

    async get({ params, caller, world }) {
      const project = findReadableProject(world, caller, params.id)
      return showCommit(await readCommit(world, project.id, await findCommit(world, project, params.sha)))
    },

    async create({ params, caller, world }) {
      const project = findProjectFor(world, caller, params.id, developer)
      const { branch, commit_message: message, start_branch, actions } = params
      const author = { name: params.author_name ?? caller.name, email: params.author_email ?? caller.email }
      const sha = await commitFiles(world, project, { branch, message, start_branch, actions, author, committer: caller })
      await announceRefs(world, project.id, caller, [`refs/heads/${branch}`])
      return showCommit(await readCommit(world, project.id, sha))
    },
  },

  files: {
    async get({ params, caller, world }) {
      const project = findReadableProject(world, caller, params.id)
      const { commit, file } = await findFile(world, project, params.file_path, params.ref)
      return {
        file_name: params.file_path.split('/').at(-1) ?? '',
        file_path: params.file_path,
        size: file.content.length,
        encoding: 'base64',
        content: file.content.toString('base64'),
        ref: params.ref,
        blob_id: file.blob_id,
        commit_id: commit,
        last_commit_id: await lastCommitOf(world, project.id, commit, params.file_path),
      }
    },

    async raw({ params, caller, world }) {
      const project = findReadableProject(world, caller, params.id)
      return (await findFile(world, project, params.file_path, params.ref ?? project.default_branch)).file.content
    },
  },

  statuses: {
    list: unserved,

    async create({ params, caller, world }) {
      const project = findProjectFor(world, caller, params.id, developer)
      const sha = await findCommit(world, project, params.sha)
      const ref = params.ref?.replace(/^refs\/heads\//, '') ?? (await branchWith(world, project.id, sha))
      if (ref === undefined) throw notFound('References for commit')
      if (!isRefName(ref)) throw badParameter('ref is invalid')
      const { retried, project_id, author_id, started_at, finished_at, ...status } = await postStatus(world, caller, {
        project_id: project.id,
        sha,
        ref,
        name: params.name ?? 'default',
        state: params.state,
        target_url: params.target_url ?? null,
        description: params.description ?? null,
      })
      return { ...status, author: showUserSummary(world, userById(world, author_id)) }
    },
  },

  pipelines: {
    list({ params, caller, world }) {
      const project = findReadableProject(world, caller, params.id)
      const found = world.pipelines
        .where('project', project.id)
        .filter((pipeline) => params.ref === undefined || pipeline.ref === params.ref)
        .filter((pipeline) => params.sha === undefined || pipeline.sha === params.sha)
        .filter((pipeline) => params.status === undefined || pipeline.status === params.status)
        .reverse()
      return pageOf(found, params, showPipeline)
    },

    get: unserved,
  },
}

async function findCommit(world: World, project: Project, name: string): Promise<string> {
  const sha = await resolveCommit(world, project.id, name)
  if (sha === undefined) throw notFound('Commit')
  return sha
}

async function findFile(world: World, project: Project, path: string, ref: string) {
  const commit = await findCommit(world, project, ref)
  const file = isFilePath(path) ? await readFile(world, project.id, commit, path) : undefined
  if (file === undefined) throw notFound('File')
  return { commit, file }
}

async function findBranch(world: World, project: Project, name: string) {
  const sha = await branchHead(world, project.id, name)
  if (sha === undefined) throw notFound('Branch')
  return showBranch(world, project, name, sha, await branchesMergedInto(world, project.id, project.default_branch))
}

async function showBranch(world: World, project: Project, name: string, sha: string, merged: ReadonlySet<string>) {
  const [commit] = await readCommits(world, project.id, [sha])
  if (commit === undefined) throw notFound('Branch')
  const isDefault = name === project.default_branch
  return { name, merged: merged.has(name) && !isDefault, protected: false, default: isDefault, commit: showCommit(commit) }
}
