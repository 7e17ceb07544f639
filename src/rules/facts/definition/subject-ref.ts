// The subject of a ref, by its number: a merge request, the project itself (0), or an issue (below 0); and its name.
import type { MergeRequestRef, Subject } from '../../types.ts'

/** The ref of a project. Events, memory, jobs and decisions treat it like a merge request, none of which has iid 0. */
export function projectRef(project: number): MergeRequestRef {
  return { project, iid: 0 }
}

/** The ref of an issue. A call for a merge request of this number is refused before it is sent. */
export function issueRef(project: number, iid: number): MergeRequestRef {
  return { project, iid: -iid }
}

/** Whether the ref stands for the project itself. */
export function isProject({ iid }: Pick<MergeRequestRef, 'iid'>): boolean {
  return iid === 0
}

/** Whether the ref stands for an issue. */
export function isIssue({ iid }: Pick<MergeRequestRef, 'iid'>): boolean {
  return iid < 0
}

export function subjectOf(ref: Pick<MergeRequestRef, 'iid'>): Subject {
  if (isProject(ref)) return 'project'
  return isIssue(ref) ? 'issue' : 'merge_request'
}

/** The number by which the service knows it. */
export function numberOf({ iid }: Pick<MergeRequestRef, 'iid'>): number {
  return Math.abs(iid)
}

/** The name that the service uses: `!12`, `#12`; empty for a project. */
export function shortName(ref: Pick<MergeRequestRef, 'iid'>): string {
  const marks = { merge_request: `!${numberOf(ref)}`, issue: `#${numberOf(ref)}`, project: '' }
  return marks[subjectOf(ref)]
}

/** The numbers of a ref outside of Bellhop. */
export interface ShownRef {
  iid: number
  subject?: 'issue'
}

/** A ref outside of Bellhop: an issue has its own number, and `subject`. */
export function shownRef<T extends { iid?: number }>(ref: T): T & Pick<ShownRef, 'subject'> {
  const { iid = 0 } = ref
  return isIssue({ iid }) ? { ...ref, iid: numberOf({ iid }), subject: 'issue' } : ref
}

/** The iid within Bellhop of what `shownRef` returned. */
export function innerIid({ iid, subject }: ShownRef): number {
  return subject === 'issue' ? -numberOf({ iid }) : iid
}

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

/** Whether the ref outside of Bellhop is that of a merge request. */
export const isMergeRequest = ({ iid = 0, subject }: Pick<NamedRef, 'iid' | 'subject'>) =>
  subject === undefined && iid > 0

/** What a delivery is about: its merge requests or its issue; without either its project, also one that is not seen. */
export function subjectsOf<R extends NamedRef>(delivery: {
  mergeRequests: readonly R[]
  event?: { project?: number; path?: string } | undefined
}): readonly (R | { project: number; path?: string; iid: number })[] {
  const { mergeRequests, event: { project, path } = {} } = delivery
  if (mergeRequests.length > 0 || project === undefined) return mergeRequests
  return [{ project, iid: 0, ...(path !== undefined && { path }) }]
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
