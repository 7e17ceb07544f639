// What the update of a dependency bot (Renovate, Dependabot) changes.

import { choice } from '../language/operators/fact-types.ts'
import { field } from './definition/fact.ts'
import { readVersionChange, type UpdateTexts } from './definition/version-changes.ts'

const isTexts = (texts: Record<keyof UpdateTexts, unknown>): texts is UpdateTexts & typeof texts =>
  Object.values(texts).every((each) => typeof each === 'string')

const changes = choice(['patch', 'minor', 'major'])

export const version_change = field({
  doc: 'Which number of the version changes, as Renovate or Dependabot write it in title, description and branch: the first (`major`), the second (`minor`) or a later one (`patch`); of several updates, the largest. Unknown where that is not clear: for previews, digests, pins, and where two texts contradict each other. People can edit these texts, so also ask for the `author` and for `pushed_by`.',
  type: changes,
  read({ title, description, source_branch: branch }) {
    // An empty description may be null.
    const texts = { title, description: description === null ? '' : description, branch }
    if (!isTexts(texts)) return { is: 'absent', reason: 'the hosting service does not say its texts' }
    const found = readVersionChange(texts)
    return 'change' in found ? found.change : { is: 'absent', reason: found.unknown }
  },
  showsInUpdatedAt: true,
  recorded: true,
  example: 'version_change: [patch, minor]',
})
