// Finds, creates and deletes branches, tags and commits for the repository endpoints.
import { readCommits } from '../../git/read-commits.ts'
import { moveRef, noCommit, resolveCommit } from '../../git/refs.ts'
import { orNotFound, refuse } from '../../http/error-response.ts'
import { refuseByPushRule } from '../../pushes/check-push.ts'
import { announceRefs } from '../../pushes/follow-pushes.ts'
import type { Project, User } from '../../records/records.ts'
import { showCommit } from '../../records/show-records.ts'
import type { World } from '../../storage/world.ts'

/** The commit that a branch, a tag or a sha names. */
export async function findCommit(world: World, project: Project, name: string): Promise<string> {
  return orNotFound(await resolveCommit(world, project.id, name), 'Commit')
}

/** `part` anywhere, `^part` at the start, `part$` at the end, ignoring case, as in GitLab. */
export function nameMatches(search = ''): (name: string) => boolean {
  const wanted = search.toLowerCase()
  if (wanted.length > 1 && wanted.startsWith('^')) return (name) => name.toLowerCase().startsWith(wanted.slice(1))
  if (wanted.length > 1 && wanted.endsWith('$')) return (name) => name.toLowerCase().endsWith(wanted.slice(0, -1))
  return (name) => name.toLowerCase().includes(wanted)
}

/** Throws 400 for a commit that breaks the push rule. False when the name is taken; `target` may be a tag object. */
export async function createRef(
  world: World,
  project: Project,
  user: User,
  { ref, commit, target = commit }: { ref: string; commit: string; target?: string },
): Promise<boolean> {
  await refuseByPushRule(world, project, { ref, before: noCommit, after: commit })
  if (!(await moveRef(world, project.id, ref, noCommit, target))) return false
  await announceRefs(world, project.id, user, [ref])
  return true
}

/** Throws 409 when it no longer points at the target. */
export async function deleteRef(world: World, { id }: Project, user: User, ref: string, target: string): Promise<null> {
  if (!(await moveRef(world, id, ref, target, noCommit)))
    throw refuse(409, `The ${ref.startsWith('refs/tags/') ? 'tag' : 'branch'} has moved`)
  await announceRefs(world, id, user, [ref])
  return null
}

/** Shows each name with its commit, without those whose commit is gone. */
export async function showWithCommits<N extends { name: string; commit: string }, S>(
  world: World,
  project: Project,
  names: readonly N[],
  show: (name: N, commit: ReturnType<typeof showCommit>) => S,
): Promise<S[]> {
  const shas = [...new Set(names.map(({ commit }) => commit))]
  const commits = new Map((await readCommits(world, project.id, shas)).map((commit) => [commit.id, showCommit(commit)]))
  return names.flatMap((name) => {
    const commit = commits.get(name.commit)
    return commit === undefined ? [] : [show(name, commit)]
  })
}
