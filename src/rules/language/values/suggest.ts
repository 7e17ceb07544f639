// "Did you mean": the known name nearest to an unknown one.

/** The typing errors between two names: letters added, missing, replaced or swapped. */
function distance(left: string, right: string): number {
  let before: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const current = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      const costs = [(previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same]
      current.push(Math.min(...costs, ...(swapped ? [(before[j - 2] ?? 0) + 1] : [])))
    }
    before = previous
    previous = current
  }
  return previous[right.length] ?? 0
}

/** Names with the words that other tools use for them. */
export type Synonyms = Readonly<Record<string, readonly string[]>>

/** The synonyms that registered entries declare. */
export function synonymsOf(entries: Readonly<Record<string, { synonyms?: readonly string[] }>>): Synonyms {
  return Object.fromEntries(Object.entries(entries).map(([name, { synonyms = [] }]) => [name, synonyms]))
}

const commonStart = (left: string, right: string) => {
  const end = [...left].findIndex((character, index) => character !== right[index])
  return end === -1 ? left.length : end
}

/** The name of `known` that has `name` as a synonym, or the nearest one that is near enough to be a typing error. */
export function suggest(name: string, known: readonly string[], synonyms: Synonyms = {}): string | undefined {
  // A long unknown name is no typing error, and the distance of two long names costs their product.
  if (name.length > 40) return undefined
  const written = name.toLowerCase().replaceAll('-', '_')
  const meant = known.find((each) => Object.hasOwn(synonyms, each) && synonyms[each]?.includes(written))
  if (meant !== undefined) return meant
  const nearEnough = (candidate: string) => Math.max(1, Math.floor(candidate.length / 3))
  const [best] = known
    // The distance is at least the difference in length.
    .filter((candidate) => Math.abs(candidate.length - written.length) <= nearEnough(candidate))
    .map((candidate) => ({ candidate, cost: distance(written, candidate.toLowerCase()) }))
    .filter(({ candidate, cost }) => cost <= nearEnough(candidate))
    .sort(
      (a, b) =>
        a.cost - b.cost ||
        commonStart(written, b.candidate) - commonStart(written, a.candidate) ||
        (a.candidate < b.candidate ? -1 : 1),
    )
  return best?.candidate
}
