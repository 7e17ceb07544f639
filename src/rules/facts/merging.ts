// What blocks the merge, and what it leaves behind.

import { boolean, optionalText } from '../language/operators/fact-types.ts'
import { fact } from './definition/fact.ts'
import { sources } from './definition/sources.ts'

const from = sources.mergeRequest

export const has_conflicts = fact({
  doc: 'Whether it conflicts with the target branch; unknown while the service is still checking.',
  type: boolean,
  from,
  read: (mr) => {
    if (mr.detailed_merge_status === 'conflict') return true
    // A service that has not checked yet still says `has_conflicts: false`.
    if (mr.merge_status !== 'can_be_merged' && mr.merge_status !== 'cannot_be_merged') return undefined
    return mr.has_conflicts ?? mr.merge_status === 'cannot_be_merged'
  },
  recorded: true,
  beforeEnd: { merged: false },
  example: 'has_conflicts: true',
  toFix: { true: 'conflicts with the target branch', false: 'resolve the conflicts with the target branch' },
})

export const discussions_resolved = fact({
  doc: 'Whether every thread that must be resolved is; unknown on services that do not say.',
  type: boolean,
  from,
  read: (mr) => mr.blocking_discussions_resolved,
  recorded: true,
  example: 'discussions_resolved: true',
  toFix: { true: 'resolve the open threads', false: 'an open thread' },
})

export const remove_source_branch = fact({
  doc: 'Whether the source branch is removed when it is merged.',
  type: boolean,
  from,
  read: (mr) => {
    const flags = [mr.should_remove_source_branch, mr.force_remove_source_branch]
    return flags.every((each) => each === undefined) ? undefined : flags.includes(true)
  },
  showsInUpdatedAt: true,
  recorded: true,
  lasting: 'merged',
  example: 'remove_source_branch: false',
  toFix: { true: 'choose to remove the source branch', false: 'choose to keep the source branch' },
})

export const merge_commit_sha = fact({
  doc: 'The commit that it was merged as; null while it is not merged, and where it was merged without one.',
  type: optionalText,
  from,
  read: (mr) => mr.merge_commit_sha,
  beforeEnd: { merged: null, closed: null },
  example: 'merge_commit_sha: null',
  toFix: 'a merge commit that is',
})
