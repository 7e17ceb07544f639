// Which projects include files of a project: known by it, so that its pushes reach them, and its own rules do not change theirs (DESIGN §4).
import type { Journal } from '../journal/types.ts'

type Marks = Pick<Journal, 'projectMark' | 'markProject'>

/** A project and a path in it. */
export interface Origin {
  project: number
  path: string
}

const mark = 'included by'
// Keeps one mark small; who is beyond it learns of changes at its next refresh.
const mostIncluders = 1000

/** By including project, the paths that it includes. */
type Includers = Record<string, string[]>

async function read(journal: Marks, service: string, project: number): Promise<Includers> {
  const text = await journal.projectMark(service, project, mark)
  return text === undefined ? {} : (JSON.parse(text) as Includers)
}

/** Notes what a project includes now. What another process writes at the same moment may be lost; the next refresh writes it again. */
export async function noteIncludes(
  journal: Marks,
  service: string,
  includer: number,
  now: readonly Origin[],
  before: readonly Origin[],
): Promise<void> {
  for (const project of new Set([...now, ...before].map((each) => each.project))) {
    const includers = await read(journal, service, project)
    const paths = [...new Set(now.filter((each) => each.project === project).map((each) => each.path))]
    if (JSON.stringify(includers[includer] ?? []) === JSON.stringify(paths)) continue
    const { [includer]: _own, ...others } = includers
    const next = paths.length === 0 || Object.keys(others).length >= mostIncluders ? others : { ...others, [includer]: paths }
    await journal.markProject(service, project, mark, JSON.stringify(next))
  }
}

/** The projects that include files of this one. */
export async function includersOf(journal: Marks, service: string, project: number): Promise<number[]> {
  return Object.keys(await read(journal, service, project)).map(Number)
}

/** The paths of this project's files that are rules elsewhere. */
export async function includedPaths(journal: Marks, service: string, project: number): Promise<string[]> {
  return [...new Set(Object.values(await read(journal, service, project)).flat())]
}
