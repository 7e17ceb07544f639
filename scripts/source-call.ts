// A source's call as the generated pages write it: `GET …/approvals`.
import { endpointsByName } from '../src/api/index.ts'
import { sourceNamed } from '../src/rules/facts/definition/sources.ts'
import { code } from './markdown-table.ts'

/** The pages write it as `…`. */
const mergeRequestPath = '/projects/:id/merge_requests/:merge_request_iid'

/** Method and path; the name itself where it is no source's. */
export function sourceCall(name: string): string {
  const endpoint = endpointsByName.get(sourceNamed(name)?.endpoint ?? '')
  return endpoint === undefined ? name : code(`${endpoint.method} ${endpoint.path.replace(mergeRequestPath, '…')}`)
}
