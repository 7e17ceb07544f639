// Caps the labels of metrics that projects choose, in total and for each project, so that none uses them all up.

const otherLabel = 'other'

interface CappedLabels {
  /** The text if it has a label or gets one; else `other`. */
  labelFor(text: string, project: string | number): string
}

/** `known` texts do not count. A label lasts as long as the process, as its counter does. */
export function cappedLabels({
  all,
  perProject,
  known,
}: {
  all: number
  perProject: number
  known: readonly string[]
}): CappedLabels {
  const ours = new Set(known)
  const given = new Set<string>()
  const byProject = new Map<string | number, number>()
  return {
    labelFor(text, project) {
      if (ours.has(text) || given.has(text)) return text
      const before = byProject.get(project) ?? 0
      if (given.size >= all || before >= perProject) return otherLabel
      given.add(text)
      byProject.set(project, before + 1)
      return text
    },
  }
}
