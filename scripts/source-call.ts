// A source's calls as the generated pages write them: `GET …/approvals`.
import { endpointsByName } from '../src/api/index.ts'
import { sourceNamed } from '../src/rules/facts/definition/sources.ts'
import { issueRef } from '../src/rules/facts/definition/subject-ref.ts'
import type { Subject } from '../src/rules/types.ts'
import { code } from './markdown-table.ts'

/** The pages write them as `…`. */
const subjectPath = /^\/projects\/:id\/(merge_requests\/:merge_request_iid|issues\/:issue_iid)/

/** Method and path of each call, for a merge request or an issue; the name itself where it is no source's. */
export function sourceCalls(name: string, subject: Subject = 'merge_request'): string[] {
  const source = sourceNamed(name)
  const call = subject === 'issue' ? source?.ofIssue : undefined
  const ofIssue = typeof call === 'function' ? call(issueRef(1, 1), '1')?.endpoint : undefined
  const endpoints = ofIssue === undefined ? (source?.pagedCalls ?? [source?.endpoint ?? '']) : [ofIssue]
  return endpoints.map((each) => {
    const endpoint = endpointsByName.get(each)
    return endpoint === undefined ? name : code(`${endpoint.method} ${endpoint.path.replace(subjectPath, '…')}`)
  })
}
