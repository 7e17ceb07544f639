// The push rule of a project (api-v4.md §4.3).
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../handler.ts'
import { unserved } from './unserved.ts'

export const pushRule: Handlers<Api['projects']['pushRule']> = { get: unserved, create: unserved, update: unserved, delete: unserved }
