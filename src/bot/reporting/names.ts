// Names: in the log as people write them (`group/app!12`, `group/app#12`), and of issues as the journal stores them.
import type { Journal } from '../../journal/journal.ts'
import type { MergeRequestName } from '../../journal/types.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'

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

/** Without any text of a confidential issue. Undefined if everybody may read it, and title or address is unknown. */
export function issueName(issue: {
  title?: unknown
  url?: unknown
  confidential?: unknown
}): MergeRequestName | undefined {
  const { title, url, confidential } = issue
  // Fails closed: an issue that does not say is confidential. Also without an address: it replaces an earlier title.
  if (confidential !== false) return { title: 'a confidential issue', url: typeof url === 'string' ? url : '' }
  return typeof title === 'string' && typeof url === 'string' ? { title, url } : undefined
}
