// Reads, lists and creates commits.
import type { CheckedParams } from '../../../api/endpoint.ts'
import type { Api } from '../../../api/index.ts'
import { developer, projectToChange, readableProject } from '../../access/access.ts'
import { commitFormat, commitsBetween, type GitCommit, parseCommits, readCommit } from '../../git/read-commits.ts'
import { branchHead, isFilePath, moveRef, resolveCommit } from '../../git/refs.ts'
import { cherryPick, commitFiles } from '../../git/write-commits.ts'
import { ErrorResponse, notFound, orNotFound, refuse } from '../../http/error-response.ts'
import { type Handlers, on, pageOf } from '../../http/handler.ts'
import { projectWithMergeRequests } from '../../merge-requests/find.ts'
import { showListedMergeRequest } from '../../merge-requests/show.ts'
import { baseOf } from '../../merge-requests/status.ts'
import { refuseByPushRule } from '../../pushes/check-push.ts'
import { announceRefs } from '../../pushes/follow-pushes.ts'
import { refuseProtected } from '../../pushes/protected-branches.ts'
import type { Project, User } from '../../records/records.ts'
import { showCommit } from '../../records/show-records.ts'
import type { World } from '../../storage/world.ts'
import { findCommit } from './find.ts'

const branches = 'refs/heads/'

/** A name, a branch by its whole ref, or a range of two: `refs/heads/main..feature`. */
async function resolveRevision(world: World, projectId: number, name: string): Promise<string | undefined> {
  const ends = await Promise.all(
    name
      .split('..')
      .map((each) =>
        each.startsWith(branches)
          ? branchHead(world, projectId, each.slice(branches.length))
          : resolveCommit(world, projectId, each),
      ),
  )
  return ends.length > 2 || ends.includes(undefined) ? undefined : ends.join('..')
}

export const commits: Handlers<Api['repository']['commits']> = {
  list: on(readableProject, async ({ project, params, world }) => {
    const name = params.ref_name ?? project.default_branch
    const head = params.all ? '--branches' : await resolveRevision(world, project.id, name)
    if (head === undefined) {
      if (params.ref_name !== undefined) throw notFound('Commit')
      return { items: [], total: 0 }
    }
    const { items, total } = await pageOfCommits(world, project.id, { head, path: params.path }, params)
    return { items: items.map(showCommit), total }
  }),

  get: on(readableProject, async ({ project, params, world }) =>
    showCommit(await readCommit(world, project.id, await findCommit(world, project, params.sha))),
  ),

  create: on(projectToChange(developer), async (call) => {
    const sha = await commitActions(call, call.params.actions)
    return showCommit(await readCommit(call.world, call.project.id, sha))
  }),

  /** Those that brought it, and open ones that would. */
  mergeRequests: on(projectWithMergeRequests, async ({ project, params, caller, world }) => {
    const sha = await findCommit(world, project, params.sha)
    const all = world.mergeRequests.where('project', project.id).toReversed()
    const hasIt = await Promise.all(
      all.map(async (mr) => {
        if ([mr.merge_commit_sha, mr.squash_commit_sha, mr.merged_head].includes(sha)) return true
        return (await commitsBetween(world, project.id, await baseOf(world, mr), mr.sha)).some(({ id }) => id === sha)
      }),
    )
    const found = all.filter((_, index) => hasIt[index])
    return pageOf(found, params, (mr) => showListedMergeRequest(world, mr, caller))
  }),

  cherryPick: on(projectToChange(developer), async ({ project, params: { sha, branch }, caller, world }) => {
    refuseProtected(world, project, caller, branch)
    const commit = await findCommit(world, project, sha)
    const head = orNotFound(await branchHead(world, project.id, branch), 'Branch')
    const picked = await cherryPick(world, project.id, { sha: commit, onto: head, committer: caller })
    if ('failed' in picked) throw new ErrorResponse(400, { message: cannotPick, error_code: picked.failed })
    const ref = `refs/heads/${branch}`
    await refuseByPushRule(world, project, { ref, before: head, after: picked.sha })
    if (!(await moveRef(world, project.id, ref, head, picked.sha))) throw refuse(400, 'The branch was pushed to')
    await announceRefs(world, project.id, caller, [ref])
    return showCommit(await readCommit(world, project.id, picked.sha))
  }),
}

type NewCommit = CheckedParams<Api['repository']['commits']['create']>

interface CommitCall {
  project: Project
  caller: User
  world: World
  params: Omit<NewCommit, 'id' | 'actions'>
}

/** Commits to a branch, and announces it. */
export async function commitActions({ project, params, caller, world }: CommitCall, actions: NewCommit['actions']) {
  const { branch, commit_message: message, start_branch } = params
  refuseProtected(world, project, caller, branch)
  const author = { name: params.author_name ?? caller.name, email: params.author_email ?? caller.email }
  const sha = await commitFiles(world, project, { branch, message, start_branch, actions, author, committer: caller })
  await announceRefs(world, project.id, caller, [`refs/heads/${branch}`])
  return sha
}

const cannotPick = 'This commit cannot be cherry-picked automatically: it conflicts, or is there already.'

/** One page, newest first. */
async function pageOfCommits(
  world: World,
  projectId: number,
  { head, path = '' }: { head: string; path?: string },
  { page, per_page }: { page: number; per_page: number },
): Promise<{ items: GitCommit[]; total: number }> {
  const file = path.replace(/\/+$/, '')
  if (file !== '' && !isFilePath(file)) return { items: [], total: 0 }
  const args = [...(head === '--branches' ? [head] : ['--end-of-options', head]), '--', ...(file === '' ? [] : [file])]
  const total = Number(await world.git.text(projectId, ['rev-list', '--count', ...args]))
  const skip = (page - 1) * per_page
  if (skip >= total) return { items: [], total }
  const cut = ['log', '-z', '--encoding=UTF-8', commitFormat, `--skip=${skip}`, `--max-count=${per_page}`]
  return { items: parseCommits(world, projectId, await world.git.text(projectId, [...cut, ...args])), total }
}
