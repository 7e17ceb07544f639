// Push and tag push payloads.
import { commitsBetween, countBetween, filesOfCommit, type GitCommit, readCommit } from '../git/read-commits.ts'
import { branchOf, type GitTag, isSha, noCommit, readTag } from '../git/refs.ts'
import type { RefMove } from '../pushes/check-push.ts'
import { protectionsOf } from '../pushes/protected-branches.ts'
import type { Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { hasHook, hookCommit, hookGitRepository } from './parts.ts'

/** Further commits are only counted. */
const listedCommits = 20

export async function sendPush(world: World, project: Project, user: User, change: RefMove): Promise<void> {
  const tag = change.ref.startsWith('refs/tags/')
  const flag = tag ? 'tag_push_events' : 'push_events'
  if (!hasHook(world, project.id, flag)) return
  const pushed =
    tag && change.after !== noCommit
      ? await readTag(world, project.id, change.ref.slice('refs/tags/'.length))
      : undefined
  const listed = tag ? await commitOf(world, project, pushed) : await newCommits(world, project, change)
  world.send(project, flag, {
    object_kind: tag ? 'tag_push' : 'push',
    event_name: tag ? 'tag_push' : 'push',
    before: change.before,
    after: change.after,
    ref: change.ref,
    ref_protected: !tag && protectionsOf(world, project, branchOf(change.ref) ?? '').length > 0,
    // The commit of an annotated tag; `after` is the tag itself.
    checkout_sha: change.after === noCommit ? null : (pushed?.commit ?? change.after),
    message: pushed?.message ?? null,
    user_id: user.id,
    user_name: user.name,
    user_username: user.username,
    user_email: user.email,
    user_avatar: null,
    project_id: project.id,
    commits: listed.commits,
    total_commits_count: listed.total,
    push_options: {},
    repository: hookGitRepository(world, project),
  })
}

/** A tag lists the commit that it leads to. */
async function commitOf(world: World, project: Project, tag: GitTag | undefined) {
  if (tag === undefined) return { commits: [], total: 0 }
  return { commits: [await describe(world, project, await readCommit(world, project.id, tag.commit))], total: 1 }
}

async function newCommits(world: World, project: Project, change: RefMove) {
  if (!isSha(change.after) || change.after === noCommit) return { commits: [], total: 0 }
  // A new branch lists what the default branch lacks; the default branch lists everything.
  const defaultHead = project.known_refs[`refs/heads/${project.default_branch}`]
  const fresh = change.ref === `refs/heads/${project.default_branch}` || defaultHead === undefined ? null : defaultHead
  const from = change.before === noCommit ? fresh : change.before
  const commits = await commitsBetween(world, project.id, from, change.after, listedCommits)
  const described = await Promise.all(commits.map((commit) => describe(world, project, commit)))
  const isCut = commits.length === listedCommits
  const total = isCut ? await countBetween(world, project.id, from, change.after) : commits.length
  return { commits: described.reverse(), total }
}

async function describe(world: World, project: Project, commit: GitCommit): Promise<Record<string, unknown>> {
  return { ...hookCommit(world, project, commit), ...(await filesOfCommit(world, project.id, commit.id)) }
}
