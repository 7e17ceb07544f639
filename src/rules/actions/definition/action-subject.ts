// What an action may be done to, and its calls, which are the same for merge requests and for issues.
import type { CallData, EndpointName } from '../../../api/call-data.ts'
import { isIssue, numberOf } from '../../facts/definition/subject-ref.ts'
import type { Call, MergeRequestRef, Subject } from '../../types.ts'

/** The path parameters of a merge request or an issue. */
export type Target = { id: number; merge_request_iid: number } | { id: number; issue_iid: number }

type Shared<Name extends string> = Name extends `mergeRequests.${infer Operation}`
  ? `issues.${Operation}` extends EndpointName
    ? Operation
    : never
  : never

/** The operations that merge requests and issues have. */
type SharedOperation = Shared<EndpointName>

/** Whether the action can be done to such a subject. */
export function isActionOf({ on }: { on?: 'issues' | 'projects' }, subject: Subject): boolean {
  if (subject === 'project') return on === 'projects'
  return subject === 'merge_request' || on === 'issues'
}

export function targetOf(ref: MergeRequestRef): Target {
  const id = ref.project
  return isIssue(ref) ? { id, issue_iid: numberOf(ref) } : { id, merge_request_iid: ref.iid }
}

/** The call of this operation for a merge request or an issue. */
export function callOn(target: Target, operation: SharedOperation, params: Record<string, unknown> = {}): CallData {
  const resource = 'issue_iid' in target ? 'issues' : 'mergeRequests'
  return { endpoint: `${resource}.${operation}` as EndpointName, params: { ...target, ...params } }
}

/** Whether the call is this operation, for a merge request or an issue. */
export function isCallOn({ endpoint }: Pick<Call, 'endpoint'>, operation: SharedOperation): boolean {
  return endpoint === `mergeRequests.${operation}` || endpoint === `issues.${operation}`
}
