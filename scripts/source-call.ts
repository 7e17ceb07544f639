// A source's call as the generated pages write it: `GET …/approvals`.
import { endpointsByName } from '../src/api/index.ts'
import { sourceNamed } from '../src/rules/facts/definition/sources.ts'
import { issueRef } from '../src/rules/facts/definition/subject-ref.ts'
import type { TestSubject } from '../src/rules/testing/test-types.ts'
import { code } from './markdown-table.ts'

/** The pages write them as `…`. */
const subjectPath = /^\/projects\/:id\/(merge_requests\/:merge_request_iid|issues\/:issue_iid)/

/** Method and path, for a merge request or an issue; the name itself where it is no source's. */
export function sourceCall(name: string, subject: TestSubject = 'merge_request'): string {
  const source = sourceNamed(name)
  const ofIssue = subject === 'issue' ? source?.ofIssue?.(issueRef('', 1, 1), '1')?.endpoint : undefined
  const endpoint = endpointsByName.get(ofIssue ?? source?.pagedCalls?.[0] ?? source?.endpoint ?? '')
  return endpoint === undefined ? name : code(`${endpoint.method} ${endpoint.path.replace(subjectPath, '…')}`)
}
