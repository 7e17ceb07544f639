// The commits of the merge request.

import { integer, names } from '../language/operators/fact-types.ts'
import { fact } from './definition/fact.ts'
import { items } from './definition/list-items.ts'
import { sources } from './definition/sources.ts'

export const commit_messages = fact({
  doc: 'The whole message of every commit.',
  type: names,
  from: sources.commits,
  read: (commits) => items(commits)?.map((commit) => commit?.message ?? commit?.title) as string[] | undefined,
  showsInUpdatedAt: true,
  lasting: true,
  example: 'commit_messages: { all: { matches: "^(feat|fix|docs): " } }',
  toFix: 'commit messages with',
})

export const commit_titles = fact({
  doc: 'The first line of every commit’s message.',
  type: names,
  from: sources.commits,
  read: (commits) => items(commits)?.map((commit) => commit?.title) as string[] | undefined,
  showsInUpdatedAt: true,
  lasting: true,
  example: 'commit_titles: { none: { matches: "^(fixup|squash)! " } }',
  toFix: 'commit titles with',
})

export const commits_count = fact({
  doc: 'How many commits it has; Bellhop counts to 100.',
  type: integer,
  from: sources.commits,
  read: (commits) => commits.length,
  showsInUpdatedAt: true,
  lasting: true,
  example: 'commits_count: { at_most: 10 }',
  toFix: 'a number of commits of',
  reachable: [0],
})

export const commit_authors = fact({
  doc: 'The e-mail address of every commit’s author. It can be forged: to know who pushed, use pushed_by.',
  type: names,
  from: sources.commits,
  read: (commits) => {
    const authors = items(commits)?.map((commit) => commit?.author_email)
    return authors === undefined ? undefined : ([...new Set(authors)] as string[])
  },
  showsInUpdatedAt: true,
  lasting: true,
  example: 'commit_authors: { all: "*@example.com" }',
})
