// The subject of a ref, by its number: a merge request, the project itself (0), or an issue (below 0).
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
  /** The iid is the number of an issue. */
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
