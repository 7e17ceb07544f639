// The contract: the hosting service's API v4 as data, one tree of endpoints.
import { type Endpoint, listEndpoints, nameEndpoints } from './endpoint.ts'
import { groups, namespaces } from './endpoints/groups.ts'
import { systemHooks } from './endpoints/hooks.ts'
import { issues, labels, milestones } from './endpoints/issues.ts'
import { mergeTrains } from './endpoints/merge-request-merging.ts'
import { mergeRequests } from './endpoints/merge-requests.ts'
import { projects } from './endpoints/projects.ts'
import { deployments, releases } from './endpoints/releases.ts'
import { repository } from './endpoints/repository.ts'
import { users, version } from './endpoints/users.ts'
import { wikis } from './endpoints/wikis.ts'

export const api = nameEndpoints({
  version,
  users,
  groups,
  namespaces,
  projects,
  repository,
  issues,
  milestones,
  labels,
  wikis,
  releases,
  deployments,
  mergeRequests,
  mergeTrains,
  systemHooks,
})
export type Api = typeof api

export const endpointsByName: ReadonlyMap<string, Endpoint> = new Map(
  listEndpoints(api).map((each) => [each.name, each]),
)
