// Diff versions of merge requests (api-v4.md §2.7).
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../handler.ts'
import { unserved } from './unserved.ts'

export const versions: Handlers<Api['mergeRequests']['versions']> = { list: unserved, get: unserved }
