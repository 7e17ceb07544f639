// Which texts of strangers become labels of metrics: so many at most, and of one project so many, so that none takes the room of all others.

export const otherLabel = 'other'

export interface CappedLabels {
  /** The text where it has a label, or gets one; else `other`. */
  of(text: string, project: string | number): string
}

/** `known` have theirs beforehand, and take nobody's room. A label is kept for as long as the process lives, as its counter is. */
export function cappedLabels({ all, ofOne, known }: { all: number; ofOne: number; known: readonly string[] }): CappedLabels {
  const ours = new Set(known)
  const given = new Set<string>()
  const byProject = new Map<string | number, number>()
  return {
    of(text, project) {
      if (ours.has(text) || given.has(text)) return text
      const before = byProject.get(project) ?? 0
      if (given.size >= all || before >= ofOne) return otherLabel
      given.add(text)
      byProject.set(project, before + 1)
      return text
    },
  }
}
