// What the update of a dependency bot (Renovate, Dependabot) changes.

import { choice } from '../language/operators/fact-types.ts'
import { type Fact, known } from './definition/fact.ts'
import { sources } from './definition/sources.ts'
import { readVersionChange, type UpdateTexts } from './definition/version-changes.ts'

const isTexts = (texts: Record<keyof UpdateTexts, unknown>): texts is UpdateTexts & typeof texts =>
  Object.values(texts).every((each) => typeof each === 'string')

const changes = choice(['patch', 'minor', 'major'])

export const version_change: Fact<string> = {
  doc: 'Which number of the version changes, as Renovate or Dependabot write it in title, description and branch: the first (`major`), the second (`minor`) or a later one (`patch`); of several updates, the largest. Unknown where that is not clear: for previews, digests, pins, and where two texts contradict each other. People can edit these texts, so also ask for the `author` and for `pushed_by`.',
  type: changes,
  from: [sources.mergeRequest.name],
  read(view) {
    const reading = view.source(sources.mergeRequest)
    if (reading.is !== 'read') return reading
    const { title, description, source_branch: branch } = reading.body
    // An empty description may be null.
    const texts = { title, description: description === null ? '' : description, branch }
    if (!isTexts(texts)) return { is: 'absent', reason: 'the hosting service does not say its texts' }
    const found = readVersionChange(texts)
    return 'change' in found ? known(changes, found.change) : { is: 'absent', reason: found.unknown }
  },
  showsInUpdatedAt: true,
  recorded: true,
  example: 'version_change: [patch, minor]',
}
