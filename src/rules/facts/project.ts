// The project that the merge request goes into, and its group.

import { boolean, choice, names, optionalPath, path } from '../language/operators/fact-types.ts'
import { fact } from './definition/fact.ts'
import { sources } from './definition/sources.ts'

const from = sources.project

export const project_path = fact({
  doc: 'The project’s path with that of its group: `acme/tools/door`.',
  type: path,
  from,
  read: (project) => project.path_with_namespace,
  example: 'project_path: { glob: "acme/**" }',
  toFix: 'a project whose path is',
})

export const group = fact({
  doc: 'The full path of the project’s group: `acme/tools`; null for a project of a person.',
  type: optionalPath,
  from,
  read: ({ namespace }) =>
    namespace?.kind === 'group' ? namespace.full_path : namespace?.kind === 'user' ? null : undefined,
  example: 'group: { glob: "acme/**" }',
  toFix: 'a group whose path is',
})

export const project_visibility = fact({
  doc: 'Who can see the project: private, internal or public.',
  type: choice(['private', 'internal', 'public']),
  from,
  read: (project) => project.visibility,
  example: 'project_visibility: public',
  toFix: 'a project whose visibility is',
})

export const project_archived = fact({
  doc: 'Whether the project is archived.',
  type: boolean,
  from,
  read: (project) => project.archived,
  example: 'project_archived: false',
  toFix: { true: 'archive the project', false: 'unarchive the project' },
})

export const topics = fact({
  doc: 'The project’s topics, which older services call tags.',
  type: names,
  from,
  read: (project) => project.topics ?? project.tag_list,
  example: 'topics: { any: [rust, "team-*"] }',
  toFix: 'project topics with',
})

export const merge_method = fact({
  doc: 'How the project merges: with a merge commit (merge), with a merge commit after a rebase (rebase_merge), or fast-forward only (ff).',
  type: choice(['merge', 'rebase_merge', 'ff']),
  from,
  read: (project) => project.merge_method,
  example: 'merge_method: [rebase_merge, ff]',
  toFix: 'a project whose merge method is',
})

export const only_allow_merge_if_pipeline_succeeds = fact({
  doc: 'Whether the project merges only after a successful pipeline.',
  type: boolean,
  from,
  read: (project) => project.only_allow_merge_if_pipeline_succeeds,
  example: 'only_allow_merge_if_pipeline_succeeds: true',
  toFix: 'the project’s “pipelines must succeed” to be',
})

export const only_allow_merge_if_all_discussions_are_resolved = fact({
  doc: 'Whether the project merges only when every thread is resolved.',
  type: boolean,
  from,
  read: (project) => project.only_allow_merge_if_all_discussions_are_resolved,
  example: 'only_allow_merge_if_all_discussions_are_resolved: true',
  toFix: 'the project’s “all threads must be resolved” to be',
})
