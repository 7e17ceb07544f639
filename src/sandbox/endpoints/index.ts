// A handler for every endpoint of the contract; a missing one does not compile.
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../http/handler.ts'
import { groups, namespaces } from './groups.ts'
import { systemHooks } from './hooks.ts'
import { issues } from './issues.ts'
import { labels } from './labels.ts'
import { mergeTrains } from './merge-request-merging.ts'
import { mergeRequests } from './merge-requests.ts'
import { milestones } from './milestones.ts'
import { projects } from './projects.ts'
import { deployments, releases } from './releases.ts'
import { repository } from './repository.ts'
import { users, version } from './users.ts'
import { wikis } from './wikis.ts'

export const handlers: Handlers<Api> = {
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
}
