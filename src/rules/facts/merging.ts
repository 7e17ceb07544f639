// What stands in the way of the merge, and what it leaves behind.
import { fact } from '../fact.ts'
import { boolean, optionalText } from '../fact-types.ts'
import { sources } from '../sources.ts'

const from = sources.mergeRequest

export const has_conflicts = fact({
  doc: 'Whether it conflicts with the target branch; unknown while the service is still checking.',
  type: boolean,
  from,
  read: (mr) => {
    if (mr.detailed_merge_status === 'conflict') return true
    // A service that has not looked yet says `has_conflicts: false` all the same.
    if (mr.merge_status !== 'can_be_merged' && mr.merge_status !== 'cannot_be_merged') return undefined
    return mr.has_conflicts ?? mr.merge_status === 'cannot_be_merged'
  },
  example: 'has_conflicts: true',
  unblock: (wanted) => (wanted === 'true' ? 'conflicts with the target branch' : 'resolve the conflicts with the target branch'),
})

export const discussions_resolved = fact({
  doc: 'Whether every thread that must be resolved is; unknown on services that do not say.',
  type: boolean,
  from,
  read: (mr) => mr.blocking_discussions_resolved,
  example: 'discussions_resolved: true',
  unblock: (wanted) => (wanted === 'true' ? 'resolve the open threads' : 'an open thread'),
})

export const remove_source_branch = fact({
  doc: 'Whether the source branch is removed when it is merged.',
  type: boolean,
  from,
  read: (mr) => {
    const [wanted, forced] = [mr.should_remove_source_branch, mr.force_remove_source_branch]
    return wanted === undefined && forced === undefined ? undefined : wanted === true || forced === true
  },
  example: 'remove_source_branch: false',
  unblock: (wanted) => (wanted === 'true' ? 'choosing to remove the source branch' : 'choosing to keep the source branch'),
})

export const merge_commit_sha = fact({
  doc: 'The commit that it was merged as; null while it is not merged, and where it was merged without one.',
  type: optionalText,
  from,
  read: (mr) => mr.merge_commit_sha,
  example: 'merge_commit_sha: null',
  unblock: (wanted) => `a merge commit that is ${wanted}`,
})
