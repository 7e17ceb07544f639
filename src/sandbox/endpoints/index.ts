// A handler for every endpoint of the contract; one that is missing does not compile.
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../handler.ts'
import { groups } from './groups.ts'
import { mergeRequests } from './merge-requests.ts'
import { projects } from './projects.ts'
import { repository } from './repository.ts'
import { users } from './users.ts'

export const handlers: Handlers<Api> = { users, groups, projects, repository, mergeRequests }
