// Which projects include files of a project: known by it, so that its pushes reach them, and its own rules do not change theirs (DESIGN §4).
import type { Journal } from '../../journal/types.ts'

type Reading = Pick<Journal, 'projectMark'>

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

/** Notes what a project includes now, however many do so at once. */
export async function noteIncludes(
  journal: Pick<Journal, 'changeMark'>,
  service: string,
  includer: number,
  now: readonly Origin[],
  before: readonly Origin[],
): Promise<void> {
  for (const project of new Set([...now, ...before].map((each) => each.project))) {
    const paths = [...new Set(now.filter((each) => each.project === project).map((each) => each.path))]
    await journal.changeMark(service, project, mark, (text) => {
      const { [includer]: own = [], ...others } = parsed(text)
      if (JSON.stringify(own) === JSON.stringify(paths)) return undefined
      const isLeftOut = paths.length === 0 || Object.keys(others).length >= mostIncluders
      return JSON.stringify(isLeftOut ? others : { ...others, [includer]: paths })
    })
  }
}

/** The projects that include files of this one. */
export async function includersOf(journal: Reading, service: string, project: number): Promise<number[]> {
  return Object.keys(await read(journal, service, project)).map(Number)
}

/** The paths of this project's files that are rules elsewhere. */
export async function includedPaths(journal: Reading, service: string, project: number): Promise<string[]> {
  return [...new Set(Object.values(await read(journal, service, project)).flat())]
}

async function read(journal: Reading, service: string, project: number): Promise<Includers> {
  return parsed(await journal.projectMark(service, project, mark))
}

/** Only what is written here is read back. */
function parsed(text: string | undefined): Includers {
  return text === undefined ? {} : (JSON.parse(text) as Includers)
}
