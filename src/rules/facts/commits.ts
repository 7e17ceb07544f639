// The commits of the merge request.
import { fact } from '../fact.ts'
import { integer, names } from '../fact-types.ts'
import { items } from '../items.ts'
import { sources } from '../sources.ts'

export const commit_messages = fact({
  doc: 'The whole message of every commit.',
  type: names,
  from: sources.commits,
  read: (commits) => items(commits)?.map((commit) => commit?.message ?? commit?.title) as string[] | undefined,
  example: 'commit_messages: { all: { matches: "^(feat|fix|docs): " } }',
  unblock: (wanted) => `commit messages with ${wanted}`,
})

export const commit_titles = fact({
  doc: 'The first line of every commit’s message.',
  type: names,
  from: sources.commits,
  read: (commits) => items(commits)?.map((commit) => commit?.title) as string[] | undefined,
  example: 'commit_titles: { none: { matches: "^(fixup|squash)! " } }',
  unblock: (wanted) => `commit titles with ${wanted}`,
})

export const commits_count = fact({
  doc: 'How many commits it has; Bellhop counts to 100.',
  type: integer,
  from: sources.commits,
  read: (commits) => commits.length,
  example: 'commits_count: { at_most: 10 }',
  unblock: (wanted) => `a number of commits of ${wanted}`,
})

export const commit_authors = fact({
  doc: 'The e-mail address of every commit’s author. It can be forged: to know who pushed, use pushed_by.',
  type: names,
  from: sources.commits,
  read: (commits) => {
    const authors = items(commits)?.map((commit) => commit?.author_email)
    return authors === undefined ? undefined : ([...new Set(authors)] as string[])
  },
  example: 'commit_authors: { all: "*@example.com" }',
  unblock: (wanted) => `commit authors with ${wanted}`,
})
