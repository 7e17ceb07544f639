// Who wrote it, who looks after it, and who pushed.

import { boolean, optionalUserName, userName, userNames } from '../language/operators/fact-types.ts'
import type { Memory } from '../types.ts'
import { type FactView, fact, field, notShown, sharedField } from './definition/fact.ts'
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
  doc: 'The user names of the reviewers.',
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

type Push = Memory['pushes'][number]

/**
 * The pushes from one head (null: the start of the branch) to another, in order; undefined if one is missing. Fails
 * closed.
 */
export function pushesBetween(from: string | null, to: string, pushes: readonly Push[]): Push[] | undefined {
  const left = [...pushes]
  const chain: Push[] = []
  for (let at: string | null = to; at !== from; ) {
    // Hooks may come out of order, and a branch may move back and forth: each push is used once, the newest first.
    const index = left.findLastIndex((push) => push.to === at)
    const [push] = index < 0 ? [] : left.splice(index, 1)
    if (push === undefined) return undefined
    chain.unshift(push)
    at = push.from
  }
  return chain
}

/** The pushes from the start of the branch to the head, in order, or why they are unknown. */
export function pushesToHead({ sha }: { sha?: unknown }, { memory: { pushes } }: Pick<FactView, 'memory'>) {
  if (pushes.length === 0) return { is: 'absent', reason: 'Bellhop has seen no push to it' } as const
  if (typeof sha !== 'string' || !pushes.some((push) => push.to === sha))
    return { is: 'absent', reason: 'Bellhop has not seen who pushed the head commit' } as const
  return (
    pushesBetween(null, sha, pushes) ?? ({ is: 'absent', reason: 'Bellhop has not seen every push to it' } as const)
  )
}

export const pushed_by = field({
  doc: 'The user names of everyone who pushed to it, as Bellhop saw it happen; unknown when it did not see all of it. Authors and commit e-mails can be forged, this cannot.',
  type: userNames,
  names: 'user',
  read(mergeRequest, view) {
    const pushes = pushesToHead(mergeRequest, view)
    if ('reason' in pushes) return pushes
    const pushers = pushes.map((push) => push.by.username)
    if (!pushers.every((name): name is string => typeof name === 'string' && name !== ''))
      return { is: 'absent', reason: 'a push names no user' }
    return [...new Set(pushers)]
  },
  example: 'pushed_by: { all: [renovate-bot] }',
})
