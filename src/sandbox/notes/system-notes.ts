// What GitLab notes down itself about a merge request, in its words. These notes send no hook.
import { isDraft } from '../merge-requests/status.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { userById, type World } from '../storage/world.ts'
import { addNote } from './write.ts'

/** Writes a note of the service itself. */
export function noteDown(world: World, record: MergeRequest, user: Pick<User, 'id'>, body: string): void {
  addNote(world, { type: 'MergeRequest', record }, user.id, { body, system: true })
}

/** Notes down a change from or to a draft, of the target branch, and of the reviewers. */
export function noteChanges(
  world: World,
  before: Pick<MergeRequest, 'title' | 'target_branch' | 'reviewer_ids'>,
  after: MergeRequest,
  user: User,
): void {
  if (isDraft(before) !== isDraft(after))
    noteDown(world, after, user, `marked this merge request as **${isDraft(after) ? 'draft' : 'ready'}**`)
  if (before.target_branch !== after.target_branch)
    noteDown(world, after, user, `changed target branch from \`${before.target_branch}\` to \`${after.target_branch}\``)
  const said = [
    { words: 'requested review from', of: after, not: before },
    { words: 'removed review request for', of: before, not: after },
  ].flatMap(({ words, of, not }) => {
    const ids = of.reviewer_ids.filter((id) => !not.reviewer_ids.includes(id))
    const names = ids.map((id) => `@${userById(world, id).username}`)
    return ids.length === 0 ? [] : [`${words} ${new Intl.ListFormat('en').format(names)}`]
  })
  if (said.length > 0) noteDown(world, after, user, said.join(' and '))
}
