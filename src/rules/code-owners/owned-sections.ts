// The owners of the changed files by a CODEOWNERS file: in each section the last entry that matches a file counts.

import { memoize } from '../language/values/memoize.ts'
import { fitsPath, pathPattern } from './path-pattern.ts'
import { type CodeOwner, type CodeOwnersSection, readCodeOwners } from './read-code-owners.ts'

/** With more steps, the owners are unknown. */
const MOST_STEPS = 4_000_000

/** A section that has owners of the files. */
interface OwnedSection {
  name: string
  optional: boolean
  /** Each owner once, in the order of the files. */
  owners: readonly CodeOwner[]
}

/** Cached, because one file decides about many merge requests. */
const codeOwnersOf = memoize(16, (text: string) => {
  return readCodeOwners(text)
    .sections.filter(({ entries }) => entries.length > 0)
    .map(matchableOf)
})

/** Its patterns, those of the last entry first. */
function matchableOf(section: CodeOwnersSection) {
  const entries = section.entries.map(({ pattern, ...each }) => ({ ...each, pattern: pathPattern(pattern) }))
  return {
    section,
    excludes: entries.filter(({ excludes }) => excludes).map(({ pattern }) => pattern),
    entries: entries.filter(({ excludes }) => !excludes).reverse(),
  }
}

const partsOf = (path: string) => path.split('/').map((part) => [...part])

/** The sections with owners; undefined if matching takes too many steps. */
export function ownedSections(text: string, paths: readonly string[]): readonly OwnedSection[] | undefined {
  // A binary file has no owners.
  if (text.includes('\0')) return []
  return found(`${text}\0${paths.join('\0')}`).sections
}

/** Cached, because each source that is read causes another decision with the same question. */
const found = memoize(8, (question: string): { sections: readonly OwnedSection[] | undefined } => {
  const [text = '', ...paths] = question.split('\0')
  const steps = { left: MOST_STEPS }
  const all = paths.map(partsOf)
  const sections = codeOwnersOf(text).map(({ section, excludes, entries }): OwnedSection => {
    // Many files have the same entry: its owners are collected once.
    const lists = new Set<readonly CodeOwner[]>()
    for (const path of all) {
      if (steps.left <= 0) break
      if (excludes.some((pattern) => fitsPath(pattern, path, steps))) continue
      const entry = entries.find(({ pattern }) => fitsPath(pattern, path, steps))
      if (entry !== undefined) lists.add(entry.owners)
    }
    const { name, optional } = section
    const owners = [...lists].flat()
    const once = new Map(owners.map((owner) => [JSON.stringify(owner).toLowerCase(), owner]))
    return { name, optional, owners: [...once.values()] }
  })
  return { sections: steps.left <= 0 ? undefined : sections.filter(({ owners }) => owners.length > 0) }
})
