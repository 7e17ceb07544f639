// Stands for the project itself in events without a merge request: a ref with the number 0, which no merge request has.
import type { MergeRequestRef } from '../../types.ts'

/** Pending events, memory, jobs and decisions treat it like a merge request. */
export function projectRef(service: string, project: number): MergeRequestRef {
  return { service, project, iid: 0 }
}

/** Whether the ref stands for the project itself. */
export function isProject({ iid }: Pick<MergeRequestRef, 'iid'>): boolean {
  return iid === 0
}
