// The reasons of a merge queue in words.
import type { PauseReason, QueuePause, RemovalReason } from './types.ts'

export const pauseText: Readonly<Record<PauseReason, string>> = {
  automatic_rebase: 'the project rebases automatically when it merges, which lands what nobody tested',
  branch_in_the_way: 'another branch keeps git from making those of the queue, and has to be deleted or renamed',
  branch_refused: 'the service does not let Bellhop push or delete its branches (bellhop/queue/*)',
  branches_changed: 'somebody pushes to its branches (bellhop/queue/*), or deletes them, again and again',
  by_operator: 'an operator paused it',
  journal_new: 'the journal is new, and merge requests have notes of a merge queue: a pause or a freeze may be lost',
  landing_refused: 'the service does not let Bellhop merge',
  merge_method: 'the project does not merge with merge commits, which land: accept needs',
  merge_trains: 'the project has merge trains, which do the same',
  no_pipeline: 'the service started no pipeline for a branch of the queue within ten minutes',
  repository_not_fetched:
    'git cannot fetch the target branch: it is larger than BELLHOP_MAX_REPOSITORY_SIZE, or has faulty objects',
  repository_refused: 'the service does not let Bellhop read the repository with git over HTTP',
  signed_commits: 'the service takes only signed commits, and those of Bellhop are not',
  status_missing: 'a branch of the queue lacks a status that the last landed builds had, by who set it there',
  target_missing: 'the target branch does not exist',
  target_red: 'the target branch is red by itself; nobody is removed, and it goes on when the target is green',
  unverified_landing: 'what landed is not what was tested',
}

/** Why the queue is paused, with the branch or the commits that it is about. */
export function pauseDetails(paused: Omit<QueuePause, 'since'>, code = (text: string) => text): string {
  const { reason, branch, words, commits = [] } = paused
  const [first = '', second] = commits.map(code)
  const about =
    second === undefined ? first : `${first} was pushed just before ${second} landed, which is red on top of it`
  const named = [pauseText[reason], branch === undefined ? about : code(branch)]
    .filter((each) => each !== '')
    .join(': ')
  return withWords(named, words, code)
}

/** Whether the service says that it takes only signed commits. */
export const isUnsigned = (words = '') => /must be signed/i.test(words)

const withWords = (text: string, words: string | undefined, code: (text: string) => string) =>
  words === undefined ? text : `${text}; the service says: ${code(words)}`

/** Why it was removed, with the words of the service if it refused something. */
export const removalDetails = (
  { reason, words }: { reason: RemovalReason; words?: string | undefined },
  code = (text: string) => text,
): string => withWords(removalText[reason], words, code)

export const removalText: Readonly<Record<RemovalReason, string>> = {
  by_operator: 'an operator removed it',
  conflict: 'it conflicts with the target branch',
  content_changed:
    'its commits without its merge commits have another content than it shows: its merge commits change something',
  head_missing: 'the service did not give its head commit to git within ten minutes',
  head_not_fetched: 'git could not fetch its commits within ten minutes, or found faulty objects in them',
  head_not_merged:
    'git could not bring its commits onto the target branch within five minutes, or they are too large to read',
  head_too_large: 'with its commits, the repository is larger than a merge queue may fetch',
  landing_refused: 'the service refused to merge it',
  merge_commits:
    'its merge commits change something (a solved conflict counts), or its commits one by one do not give its change as a whole',
  not_rebased: 'the service did not bring its source branch onto the target within ten minutes',
  pipeline_failed: 'its pipeline on top of the merge requests before it failed',
  pipeline_skipped: 'its pipeline was skipped, and so was the one that Bellhop started',
  pipeline_timeout: 'its pipeline took too long',
  push_refused: 'the service takes no branch with its commits',
  rebase_refused: 'the service does not let Bellhop rebase its source branch',
}

/** One sentence for each reason: how to fix it. */
export const removalHelp: Readonly<Record<RemovalReason, string>> = {
  by_operator: 'Ask the operators of Bellhop why.',
  conflict: 'Merge the target branch into its source branch, and solve the conflicts.',
  content_changed: 'Squash its commits, or rebase it yourself, and push.',
  head_missing: 'Push to its source branch again.',
  head_not_fetched: 'Make its commits anew on top of the target branch. The log of Bellhop has what git said.',
  head_not_merged: 'Squash its commits, and make them anew on top of the target branch.',
  head_too_large:
    'Take large files out of its commits, or ask the operators of Bellhop for a larger `BELLHOP_MAX_REPOSITORY_SIZE`.',
  landing_refused: 'Look at the merge request for what blocks its merge.',
  merge_commits:
    'Squash or rebase it: the project takes no merge commits, so its other commits are brought over one by one, at most 1,000.',
  not_rebased: 'Rebase it yourself.',
  pipeline_failed: 'Fix what fails on top of the target branch as it is now.',
  pipeline_skipped: 'Remove `[skip ci]` from its last commit message, and let jobs run for the branches of the queue.',
  pipeline_timeout: 'Make its pipeline quicker, or raise the `timeout` of the queue.',
  push_refused: 'Change what the push rules of the project refuse.',
  rebase_refused: 'Let Bellhop push to its source branch, or rebase it yourself.',
}
