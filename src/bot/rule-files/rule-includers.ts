// Which projects include files of a project: its pushes change their rules (DESIGN §4).
import { jsonMark, type MarkJournal } from '../service/json-mark.ts'

/** A project and a path in it. */
export interface Origin {
  project: number
  path: string
}

// Limits the size of one mark; further projects see changes at their next refresh.
const mostIncluders = 1000

/** By including project, the paths that it includes. */
type Includers = Record<string, string[]>

const includersIn = (journal: MarkJournal) => jsonMark<Includers>(journal, 'included by')

/** Notes what a project includes now; safe for concurrent calls. */
export async function noteIncludes(
  journal: MarkJournal,
  includer: number,
  now: readonly Origin[],
  before: readonly Origin[],
): Promise<void> {
  for (const project of new Set([...now, ...before].map((each) => each.project))) {
    const paths = [...new Set(now.filter((each) => each.project === project).map((each) => each.path))]
    await includersIn(journal).change(project, (before = {}) => {
      const { [includer]: own = [], ...others } = before
      if (JSON.stringify(own) === JSON.stringify(paths)) return undefined
      const isLeftOut = paths.length === 0 || Object.keys(others).length >= mostIncluders
      return isLeftOut ? others : { ...others, [includer]: paths }
    })
  }
}

/** The projects that include files of this one. */
export async function includersOf(journal: MarkJournal, project: number): Promise<number[]> {
  return Object.keys((await includersIn(journal).read(project)) ?? {}).map(Number)
}

/** The paths of this project's files that are rules elsewhere. */
export async function includedPaths(journal: MarkJournal, project: number): Promise<string[]> {
  return [...new Set(Object.values((await includersIn(journal).read(project)) ?? {}).flat())]
}
