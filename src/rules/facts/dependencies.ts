// Unmerged merge requests that this one depends on, if its author may see them; in public text, if every reader may.

import { boolean, names } from '../language/operators/fact-types.ts'
import type { FactValue } from '../types.ts'
import { isPublicMergeRequest } from './definition/author-access.ts'
import { type Dependency, type DependencyList, readDependencies } from './definition/dependencies.ts'
import { type Fact, type FactView, known, NOT_SHOWN, notShown } from './definition/fact.ts'
import { sources } from './definition/sources.ts'

const LINES =
  'Lines of the description that begin with `Depends on` name them: `Depends on !12, group/app!7, https://…/-/merge_requests/3`, at most 10, not in code or quotes. So does GitLab Premium, since 17.3.'

const from = [
  ...[sources.mergeRequest, sources.project, sources.blocks, sources.dependency].map(({ name }) => name),
  ...[sources.otherProject, sources.authorAccessIn].map(({ name }) => name),
]

function withRead(view: FactView, value: (found: DependencyList) => FactValue): FactValue {
  const found = readDependencies(view)
  return 'is' in found ? found : value(found)
}

/** Only what every reader may know; it leaves out merged private ones as well, so that their merge does not show. */
function withPublic(view: FactView, value: (shown: Dependency[], isAll: boolean, cycle?: string) => FactValue) {
  return withRead(view, ({ dependencies, unseen, cycle }): FactValue => {
    const shown: Dependency[] = []
    for (const each of dependencies) {
      const verdict = isPublicMergeRequest(each.project, view)
      if (typeof verdict === 'object') return verdict
      if (verdict) shown.push(each)
    }
    const isAll = shown.length === dependencies.length && unseen.length === 0
    // A cycle may lead through private projects.
    const isOwn = isAll && dependencies.every(({ project }) => project === view.mergeRequest.project)
    return value(shown, isAll, isOwn && cycle?.includes('/') === false ? cycle : undefined)
  })
}

const openNames = (dependencies: readonly Dependency[]) =>
  dependencies.filter(({ isMerged }) => !isMerged).map(({ name }) => name)

function listValue(dependencies: readonly Dependency[], missing: string | undefined, cycle?: string): FactValue {
  const value = known(names, openNames(dependencies), missing === undefined, cycle)
  return value.is === 'known' && missing !== undefined ? { ...value, missing } : value
}

export const depends_on_open: Fact<string[]> = {
  doc: `The merge requests that this one depends on and that are not merged: \`!12\`, or \`group/app!7\` in another project. A closed one counts: it may be reopened. ${LINES} One that its author is not known to see is unknown. When one is merged, those that wait for it are evaluated.`,
  synonyms: ['depends_on', 'dependencies', 'blocked_by'],
  type: names,
  from,
  read: (view) =>
    withRead(view, ({ dependencies, unseen, cycle }) =>
      listValue(dependencies, unseen.length === 0 ? undefined : `not to be seen: ${unseen.join(', ')}`, cycle),
    ),
  readPublic: (view) =>
    withPublic(view, (shown, isAll, cycle) => listValue(shown, isAll ? undefined : NOT_SHOWN, cycle)),
  recorded: true,
  whileOpen: true,
  example: 'depends_on_open: { none: "*" }',
  // Without names: they may be private.
  toFix: () => 'the merge of what it depends on',
}

export const dependencies_merged: Fact<boolean> = {
  doc: `Whether every merge request that it depends on is merged; also where there is none. ${LINES} One that its author is not known to see is unknown, never merged.`,
  type: boolean,
  from,
  read: (view) =>
    withRead(view, ({ dependencies, unseen, cycle }) => {
      if (openNames(dependencies).length > 0) return known(boolean, false, true, cycle)
      if (unseen.length === 0) return known(boolean, true)
      return { is: 'absent', reason: `it cannot be seen whether all are merged: ${unseen.join(', ')}` }
    }),
  readPublic: (view) =>
    withPublic(view, (shown, isAll, cycle) => {
      if (openNames(shown).length > 0) return known(boolean, false, true, cycle)
      return isAll ? known(boolean, true) : notShown
    }),
  recorded: true,
  whileOpen: true,
  example: 'dependencies_merged: true',
  toFix: { true: 'the merge of what it depends on', false: 'a dependency that is not merged' },
}
