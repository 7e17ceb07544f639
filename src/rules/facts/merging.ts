// What blocks the merge, and what it leaves behind.

import { boolean, optionalText, text } from '../language/operators/fact-types.ts'
import { type Fact, field, known } from './definition/fact.ts'
import { sources } from './definition/sources.ts'
import { merge_trains_enabled, squash_option } from './project.ts'

export const has_conflicts = field({
  doc: 'Whether it conflicts with the target branch; unknown while the service is still checking.',
  type: boolean,
  read: (mr) => {
    if (mr.detailed_merge_status === 'conflict') return true
    // A service that has not checked yet still says `has_conflicts: false`.
    if (mr.merge_status !== 'can_be_merged' && mr.merge_status !== 'cannot_be_merged') return undefined
    return mr.has_conflicts ?? mr.merge_status === 'cannot_be_merged'
  },
  recorded: true,
  waitsFor: 'conflict',
  beforeEnd: { merged: false },
  example: 'has_conflicts: true',
  whileOpen: true,
  toFix: { false: 'resolve the conflicts with the target branch' },
})

export const discussions_resolved = field({
  doc: 'Whether every thread that must be resolved is; unknown on services that do not say.',
  synonyms: ['threads_resolved', 'discussions', 'threads'],
  type: boolean,
  read: 'blocking_discussions_resolved',
  changesWith: ['note by others'],
  recorded: true,
  waitsFor: 'review',
  example: 'discussions_resolved: true',
  toFix: { true: 'resolve the open threads', false: 'an open thread' },
})

export const remove_source_branch = field({
  doc: 'Whether the source branch is removed when it is merged.',
  type: boolean,
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

export const squash: Fact<boolean> = {
  doc: 'Whether its commits are squashed on merge: as the merge request says, unless the project always or never squashes.',
  type: boolean,
  from: [sources.mergeRequest.name, sources.project.name],
  read(view) {
    const reading = view.source(sources.mergeRequest)
    if (reading.is !== 'read') return reading
    const { squash: requested, squash_on_merge } = reading.body
    if (typeof squash_on_merge === 'boolean') return known(boolean, squash_on_merge)
    const option = squash_option.read(view)
    if (option.is !== 'known') return option
    const isFixed = option.value === 'always' || option.value === 'never'
    return known(boolean, isFixed ? option.value === 'always' : requested)
  },
  recorded: true,
  lasting: 'merged',
  example: 'squash: true',
  toFix: { true: 'choose to squash', false: 'choose not to squash' },
}

export const merge_train: Fact<string> = {
  doc: 'Its state on a merge train, as the service says it: `idle`, `stale`, `fresh`, `merging`, `merged` or `skip_merged`; `none` when it is on no merge train, and on GitLab Free.',
  type: text,
  from: [sources.project.name, sources.mergeTrain.name],
  read(view) {
    const enabled = merge_trains_enabled.read(view)
    if (enabled.is !== 'known') return enabled
    if (enabled.value === false) return known(text, 'none')
    const reading = view.source(sources.mergeTrain)
    // A user who may not see merge trains gets 403, and the fact is unknown.
    if (reading.is === 'absent' && reading.status === 404) return known(text, 'none')
    return reading.is === 'read' ? known(text, reading.body.status) : reading
  },
  changesWith: ['pipeline'],
  recorded: true,
  waitsFor: 'queue',
  example: 'merge_train: none',
  whileOpen: true,
  toFix: 'a state on the merge train that is',
}

export const merge_commit_sha = field({
  doc: 'The commit that it was merged as; null while it is not merged, and where it was merged without one.',
  type: optionalText,
  read: 'merge_commit_sha',
  beforeEnd: { merged: null, closed: null },
  example: 'merge_commit_sha: null',
})
