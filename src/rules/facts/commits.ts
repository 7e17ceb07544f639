// The commits of the merge request.

import { integer, names } from '../language/operators/fact-types.ts'
import { factsFrom } from './definition/fact.ts'
import { items } from './definition/service-values.ts'
import { sources } from './definition/sources.ts'

const commitsFact = factsFrom(sources.commits, { showsInUpdatedAt: true, lasting: true })

export const commit_messages = commitsFact({
  doc: 'The whole message of every commit.',
  type: names,
  read: (commits) => items(commits)?.map((commit) => commit?.message ?? commit?.title) as string[] | undefined,
  example: 'commit_messages: { all: { matches: "^(feat|fix|docs): " } }',
  toFix: 'commit messages with',
})

export const commit_titles = commitsFact({
  doc: 'The first line of every commit’s message.',
  type: names,
  read: (commits) => items(commits)?.map((commit) => commit?.title) as string[] | undefined,
  example: 'commit_titles: { none: { matches: "^(fixup|squash)! " } }',
  toFix: 'commit titles with',
})

export const commits_count = commitsFact({
  doc: 'How many commits it has; Bellhop counts to 100.',
  type: integer,
  read: 'length',
  example: 'commits_count: { at_most: 10 }',
  toFix: 'a number of commits of',
  reachable: [0],
})

export const commit_authors = commitsFact({
  doc: 'The e-mail address of every commit’s author. It can be forged: to know who pushed, use pushed_by.',
  type: names,
  read: (commits) => {
    const authors = items(commits)?.map((commit) => commit?.author_email)
    return authors === undefined ? undefined : ([...new Set(authors)] as string[])
  },
  example: 'commit_authors: { all: "*@example.com" }',
})
