// The name of a project, merge request or issue for people: `group/app`, `group/app!12 · title`, `group/app#12`.
import { innerIid, isProject, shortName } from '../facts/definition/subject-ref.ts'

/** A ref with the known parts of its name; without an iid, or with 0, it is the project. */
export interface NamedRef {
  project: number
  iid?: number
  /** Set by `shownRef`: the iid is the number of an issue. */
  subject?: 'issue'
  /** The full path of the project. */
  path?: string
  title?: string
  /** Its page on the service. */
  url?: string
}

/** `group/app!12`, `group/app#12`; `!12 of project 7` if the path is unknown. */
export function refName({ project, iid = 0, subject, path }: NamedRef): string {
  if (isProject({ iid })) return path ?? `project ${project}`
  const own = shortName({ iid: innerIid({ iid, subject }) })
  return path === undefined ? `${own} of project ${project}` : `${path}${own}`
}

/** `group/app!12 · title`. */
export function fullRefName(ref: NamedRef): string {
  return ref.title === undefined ? refName(ref) : `${refName(ref)} · ${ref.title}`
}

/** Why a decision has no rules. */
export function sayNoRules(
  { project, path, subject }: Pick<NamedRef, 'project' | 'path' | 'subject'>,
  { files }: { files: readonly unknown[] },
): string {
  const isOthers = subject === 'issue' && files.length > 0
  return isOthers ? `No rule of ${refName({ project, path })} is for issues.` : 'No rules are in force.'
}
