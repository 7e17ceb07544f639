// How well the project knows the author.

import { boolean, level } from '../language/operators/fact-types.ts'
import type { FactValue } from '../types.ts'
import { accessIn } from './definition/access.ts'
import { type Fact, known } from './definition/fact.ts'
import { items } from './definition/service-values.ts'
import { sources } from './definition/sources.ts'

const nobody: FactValue = { is: 'absent', reason: 'the merge request names no author' }

export const author_access: Fact<string> = {
  doc: 'What the author may do in the project. Levels compare by their numbers; one without a name here is `level 25`.',
  type: level,
  from: [sources.mergeRequest.name, sources.authorAccess.name],
  read(view) {
    const mergeRequest = view.source(sources.mergeRequest)
    if (mergeRequest.is !== 'read') return mergeRequest
    return mergeRequest.body.author?.id === undefined ? nobody : accessIn(view.source(sources.authorAccess))
  },
  recorded: true,
  ofIssues: true,
  example: 'author_access: { at_least: developer }',
}

export const first_contribution: Fact<boolean> = {
  doc: 'Whether the project has merged no other merge request of the author.',
  type: boolean,
  from: [sources.mergeRequest.name, sources.mergedOfAuthor.name],
  read(view) {
    const mergeRequest = view.source(sources.mergeRequest)
    if (mergeRequest.is !== 'read') return mergeRequest
    const { author, iid } = mergeRequest.body
    if (author?.id === undefined) return nobody
    const merged = view.source(sources.mergedOfAuthor)
    if (merged.is !== 'read') return merged
    // A service may ignore a parameter, so each entry is checked.
    const others = (items(merged.body) ?? []).filter(
      (each) => each?.iid !== iid && each?.state === 'merged' && each.author?.id === author.id,
    )
    if (others.length > 0) return known(boolean, false)
    return merged.complete
      ? known(boolean, true)
      : { is: 'absent', reason: 'the hosting service lists merge requests of others' }
  },
  example: 'first_contribution: true',
}
