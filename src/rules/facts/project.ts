// The project that the merge request goes into, and its group.

import { boolean, choice, names, optionalPath, path } from '../language/operators/fact-types.ts'
import { factsFrom } from './definition/fact.ts'
import { sources } from './definition/sources.ts'

const projectFact = factsFrom(sources.project)

export const project_path = projectFact({
  doc: 'The project’s path with that of its group: `acme/tools/door`.',
  type: path,
  read: 'path_with_namespace',
  example: 'project_path: { glob: "acme/**" }',
})

export const group = projectFact({
  doc: 'The full path of the project’s group: `acme/tools`; null for a project of a person.',
  type: optionalPath,
  read: ({ namespace }) =>
    namespace?.kind === 'group' ? namespace.full_path : namespace?.kind === 'user' ? null : undefined,
  names: 'group',
  example: 'group: { glob: "acme/**" }',
})

export const project_visibility = projectFact({
  doc: 'Who can see the project: private, internal or public.',
  type: choice(['private', 'internal', 'public']),
  read: 'visibility',
  example: 'project_visibility: public',
  toFix: 'a project whose visibility is',
})

export const project_archived = projectFact({
  doc: 'Whether the project is archived.',
  type: boolean,
  read: 'archived',
  example: 'project_archived: false',
  toFix: { true: 'archive the project', false: 'unarchive the project' },
})

export const topics = projectFact({
  doc: 'The project’s topics.',
  type: names,
  read: (project) => project.topics ?? project.tag_list,
  example: 'topics: { any: [rust, "team-*"] }',
  toFix: 'project topics with',
})

export const merge_method = projectFact({
  doc: 'How the project merges: with a merge commit (merge), with a merge commit after a rebase (rebase_merge), or fast-forward only (ff).',
  type: choice(['merge', 'rebase_merge', 'ff']),
  read: 'merge_method',
  example: 'merge_method: [rebase_merge, ff]',
  toFix: 'a project whose merge method is',
})

export const squash_option = projectFact({
  doc: 'Whether the project squashes: never, always, or as each merge request says, which is on (default_on) or off (default_off) at first.',
  type: choice(['never', 'always', 'default_on', 'default_off']),
  // If the service shows no such setting, each merge request says it.
  read: (project) => project.squash_option ?? 'default_off',
  example: 'squash_option: [never, default_off]',
  toFix: 'a project whose squash option is',
})

export const merge_trains_enabled = projectFact({
  doc: 'Whether the project merges by merge trains; false on GitLab Free, and where the service shows no such setting.',
  type: boolean,
  // Trains need merged results pipelines.
  read: (project) => project.merge_trains_enabled === true && project.merge_pipelines_enabled !== false,
  example: 'merge_trains_enabled: false',
  toFix: 'the project’s merge trains to be',
})

export const automatic_rebase_enabled = projectFact({
  doc: 'Whether the service rebases at the merge, where the project merges fast-forward or after a rebase.',
  type: boolean,
  read: 'automatic_rebase_enabled',
  example: 'automatic_rebase_enabled: false',
  toFix: 'the project’s automatic rebase to be',
})

export const allow_merge_on_skipped_pipeline = projectFact({
  doc: 'Whether a skipped pipeline counts as a successful one.',
  type: boolean,
  read: (project) => project.allow_merge_on_skipped_pipeline ?? false,
  example: 'allow_merge_on_skipped_pipeline: false',
  toFix: 'the project’s “skipped pipelines are considered successful” to be',
})

export const only_allow_merge_if_pipeline_succeeds = projectFact({
  doc: 'Whether the project merges only after a successful pipeline.',
  type: boolean,
  read: 'only_allow_merge_if_pipeline_succeeds',
  example: 'only_allow_merge_if_pipeline_succeeds: true',
  toFix: 'the project’s “pipelines must succeed” to be',
})

export const only_allow_merge_if_all_discussions_are_resolved = projectFact({
  doc: 'Whether the project merges only when every thread is resolved.',
  type: boolean,
  read: ({ only_allow_merge_if_all_discussions_are_resolved: value }) => (value === null ? false : value),
  example: 'only_allow_merge_if_all_discussions_are_resolved: true',
  toFix: 'the project’s “all threads must be resolved” to be',
})
