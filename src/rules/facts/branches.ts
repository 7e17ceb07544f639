// Where the change comes from, and where it goes.
import { boolean, integer, path } from '../language/operators/fact-types.ts'
import { fact, field } from './definition/fact.ts'
import { isFromFork } from './definition/select-pipeline.ts'
import { sources } from './definition/sources.ts'

export const source_branch = field({
  doc: 'The branch that the change comes from.',
  synonyms: ['branch', 'head_branch'],
  type: path,
  read: 'source_branch',
  stable: true,
  example: 'source_branch: { glob: "renovate/**" }',
})

export const target_branch = field({
  doc: 'The branch that the change goes into.',
  synonyms: ['base', 'base_branch'],
  type: path,
  read: 'target_branch',
  names: 'branch',
  showsInUpdatedAt: true,
  recorded: true,
  lasting: 'merged',
  example: 'target_branch: [main, develop]',
  toFix: 'a target branch that is',
})

export const default_branch = fact({
  doc: 'The project’s default branch.',
  type: path,
  from: sources.project,
  read: 'default_branch',
  names: 'branch',
  example: 'default_branch: main',
})

export const from_fork = field({
  doc: 'Whether the source branch is in another project; also of a fork that was deleted.',
  type: boolean,
  read: isFromFork,
  stable: true,
  example: 'from_fork: false',
})

export const commits_behind = fact({
  doc: 'How many commits of the target branch its source branch lacks. A push to the target branch evaluates the rules with it again.',
  synonyms: ['behind', 'diverged_commits_count', 'outdated'],
  type: integer,
  from: sources.divergence,
  read: 'diverged_commits_count',
  recorded: true,
  waitsFor: 'conflict',
  changesWith: ['target branch'],
  whileOpen: true,
  example: 'commits_behind: { at_least: 1 }',
  toFix: 'a rebase, so that the commits behind are',
  reachable: [0],
})

export const source_project_id = field({
  doc: 'The id of the project that the source branch is in.',
  type: integer,
  read: 'source_project_id',
  stable: true,
  example: 'source_project_id: [1, 2]',
})
