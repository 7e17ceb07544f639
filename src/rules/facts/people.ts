// Who wrote it, who looks after it, and who pushed.
import { boolean, level, optionalUserName, userName, userNames } from '../language/operators/fact-types.ts'
import type { FactValue } from '../types.ts'
import { accessIn } from './definition/access.ts'
import { ofNewBranch, pushesToHead } from './definition/consent.ts'
import { type Fact, fact, field, known, notShown, sharedField } from './definition/fact.ts'
import { items } from './definition/service-values.ts'
import { sources } from './definition/sources.ts'

export const author = field({
  doc: 'The user name of the author.',
  synonyms: ['user', 'opened_by', 'created_by'],
  type: userName,
  names: 'user',
  read: (mr) => mr.author?.username,
  stable: true,
  ofIssues: true,
  example: 'author: [renovate-bot, dependabot]',
})

export const assignee = sharedField({
  doc: 'The user name of the assignee; null is nobody.',
  type: optionalUserName,
  names: 'user',
  read: (mr) => (mr.assignee === null ? null : mr.assignee?.username),
  example: 'assignee: { not: null }',
  toFix: 'an assignee who is',
})

type UserFields = { username?: string }

/** The names of users; the type check of the fact refuses a list in which one is missing. */
const usernames = (users: readonly (UserFields | null)[] | undefined) =>
  items(users)?.map((each) => each?.username) as string[] | undefined

type AssigneeFields = { assignee?: UserFields | null; assignees?: readonly (UserFields | null)[] }

/** Everyone who is assigned. The API page shows one user or null, GitLab a list as well. */
function assigneesOf({ assignees, assignee }: AssigneeFields): string[] | undefined {
  if (assignees !== undefined) return usernames(assignees)
  return assignee === undefined ? undefined : usernames(assignee === null ? [] : [assignee])
}

export const assignees = sharedField({
  doc: 'The user names of everyone who is assigned.',
  type: userNames,
  names: 'user',
  read: assigneesOf,
  example: 'assignees: { any: [alice, bob] }',
  toFix: 'assignees with',
})

export const assigned = sharedField({
  doc: 'Whether anybody is assigned.',
  type: boolean,
  read: (mr) => {
    const users = assigneesOf(mr)
    return users === undefined ? undefined : users.length > 0
  },
  example: 'assigned: false',
  toFix: { true: 'assign somebody', false: 'assign nobody' },
})

export const reviewers = field({
  doc: 'The user names of the reviewers; `{ none: "*" }` is nobody.',
  type: userNames,
  names: 'user',
  read: (mr) => usernames(mr.reviewers),
  showsInUpdatedAt: true,
  recorded: true,
  example: 'reviewers: { any: [alice, bob] }',
  toFix: 'reviewers with',
})

export const participants = fact({
  doc: 'The user names of everyone who takes part: who wrote it, is assigned, commented or was mentioned.',
  type: userNames,
  names: 'user',
  from: sources.participants,
  changesWith: ['note'],
  read: usernames,
  // Some may take part only in internal notes, and the service does not say which.
  readPublic: () => notShown,
  ofIssues: true,
  example: 'participants: { any: [alice, bob] }',
})

export const pushed_by: Fact<string[]> = {
  doc: 'The user names of everyone who pushed to it, as Bellhop saw it happen; for an older branch, as the service’s push events tell. Unknown if neither tells all of it. Authors and commit e-mails can be forged, this cannot.',
  type: userNames,
  names: 'user',
  from: [sources.mergeRequest.name, sources.pushEvents.name],
  read(view) {
    const pushes = pushesToHead(view)
    if ('reason' in pushes) return pushes
    const pushers = pushes.map((push) => push.by.username)
    if (!pushers.every((name): name is string => typeof name === 'string' && name !== ''))
      return { is: 'absent', reason: `a push names no user, who may be deleted: ${ofNewBranch}` }
    return known(userNames, [...new Set(pushers)])
  },
  example: 'pushed_by: { all: [renovate-bot] }',
}

const nobody: FactValue = { is: 'absent', reason: 'the merge request names no author' }

export const author_access: Fact<string> = {
  doc: 'What the author may do in the project. Levels compare by their numbers; one without a name here is `level 25`.',
  type: level,
  from: [sources.mergeRequest.name, sources.authorAccess.name],
  read(view) {
    const mergeRequest = view.source(sources.mergeRequest)
    if (mergeRequest.is !== 'read') return mergeRequest
    return mergeRequest.body.author?.id === undefined ? nobody : accessIn(view.source(sources.authorAccess))
  },
  recorded: true,
  ofIssues: true,
  example: 'author_access: { at_least: developer }',
}

export const first_contribution: Fact<boolean> = {
  doc: 'Whether the project has merged no other merge request of the author.',
  type: boolean,
  from: [sources.mergeRequest.name, sources.mergedOfAuthor.name],
  read(view) {
    const mergeRequest = view.source(sources.mergeRequest)
    if (mergeRequest.is !== 'read') return mergeRequest
    const { author, iid } = mergeRequest.body
    if (author?.id === undefined) return nobody
    const merged = view.source(sources.mergedOfAuthor)
    if (merged.is !== 'read') return merged
    // A service may ignore a parameter, so each entry is checked.
    const others = (items(merged.body) ?? []).filter(
      (each) => each?.iid !== iid && each?.state === 'merged' && each.author?.id === author.id,
    )
    if (others.length > 0) return known(boolean, false)
    return merged.complete
      ? known(boolean, true)
      : { is: 'absent', reason: 'the hosting service lists merge requests of others' }
  },
  example: 'first_contribution: true',
}
