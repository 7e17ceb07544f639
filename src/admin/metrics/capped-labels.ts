// Caps the labels of metrics that projects choose, in total and for each project, so that none uses them all up.

/**
 * Returns the label for a text of a project: the text if it has a label or gets one, else `other`. `known` texts do not
 * count. A label lasts as long as the process, as its counter does.
 */
export function cappedLabels({
  all,
  perProject,
  known,
}: {
  all: number
  perProject: number
  known: readonly string[]
}): (text: string, project: number) => string {
  const labels = new Set(known)
  const most = labels.size + all
  const byProject = new Map<number, number>()
  return (text, project) => {
    if (labels.has(text)) return text
    const before = byProject.get(project) ?? 0
    if (labels.size >= most || before >= perProject) return 'other'
    labels.add(text)
    byProject.set(project, before + 1)
    return text
  }
}
