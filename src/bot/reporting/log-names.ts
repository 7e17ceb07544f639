// Names projects, merge requests and issues in the log as people do: `group/app!12`, `group/app#12`.
import type { Journal } from '../../journal/types.ts'
import { refName } from '../../rules/explain/ref-name.ts'

interface Ref {
  project: number
  /** Absent, or 0: the project. */
  iid?: number
}

/** The names of these; the id stands for an unknown path. Throws JournalUnavailable. */
export async function logNames(journal: Journal, refs: readonly Ref[]): Promise<string[]> {
  const names = refs.length === 0 ? [] : await journal.mergeRequests.names(refs.map(({ project }) => ({ project })))
  return refs.map((ref, at) => refName({ ...ref, path: names[at]?.path }))
}

/** The name of one. */
export async function logName(journal: Journal, ref: Ref): Promise<string> {
  const [name = ''] = await logNames(journal, [ref])
  return name
}
