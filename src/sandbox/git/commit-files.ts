// The commits API: file actions become one commit on an existing or new branch.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { badParameter, refuse } from '../http/error-response.ts'
import { refuseByPushRule } from '../pushes/check-push.ts'
import type { Project } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import type { GitIdentity } from './git.ts'
import { branchHead, isFilePath, isRefName, moveRef, noCommit } from './refs.ts'
import { type FileAction, writeFiles } from './write-commits.ts'

type CommitRequest = Pick<
  CheckedParams<Api['repository']['commits']['create']>,
  'branch' | 'start_branch' | 'actions'
> & {
  message: string
  author: GitIdentity
  committer: GitIdentity
}

/** Moves the branch only if nobody else did meanwhile. */
export async function commitFiles(world: World, project: Project, request: CommitRequest): Promise<string> {
  if (!isRefName(request.branch)) throw refuse(400, 'Branch name is invalid')
  const actions = request.actions.map(readAction)
  const { head, parent } = await findParent(world, project, request)
  const { message, author, committer } = request
  const parents = parent === null ? [] : [parent]
  const commit = await writeFiles(world, project.id, parent, { parents, message, author, committer, actions })
  const ref = `refs/heads/${request.branch}`
  await refuseByPushRule(world, project, [{ ref, before: head ?? noCommit, after: commit }])
  const moved = await moveRef(world, project.id, ref, head ?? noCommit, commit)
  if (!moved)
    throw refuse(
      400,
      'Could not update the branch: it was pushed to, or its name conflicts with an existing branch. Try again',
    )
  return commit
}

async function findParent(
  world: World,
  project: Project,
  { branch, start_branch }: CommitRequest,
): Promise<{ head: string | undefined; parent: string | null }> {
  const head = await branchHead(world, project.id, branch)
  if (start_branch !== undefined && start_branch !== branch) {
    if (head !== undefined) {
      throw refuse(400, `A branch called '${branch}' already exists. Switch to that branch in order to make changes`)
    }
    const start = await branchHead(world, project.id, start_branch)
    if (start === undefined) throw refuse(400, 'Cannot find start_branch')
    return { head, parent: start }
  }
  // Without start_branch: an existing branch, or the first branch of an empty repository.
  if (head === undefined && Object.keys(project.known_refs).length > 0) {
    throw refuse(400, 'You can only create or edit files when you are on a branch')
  }
  return { head, parent: head ?? null }
}

function readAction({ action, file_path, content, encoding }: CommitRequest['actions'][number]): FileAction {
  if (!isFilePath(file_path)) throw refuse(400, `file_path '${file_path}' is not a path inside the repository`)
  if (content === undefined && action === 'update') throw badParameter('actions[content] is missing')
  return { action, file_path, content: Buffer.from(content ?? '', encoding === 'base64' ? 'base64' : 'utf8') }
}
