// Wiki pages of a project.
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../handler.ts'
import { unserved } from './unserved.ts'

export const wikis: Handlers<Api['wikis']> = { list: unserved, get: unserved, create: unserved, update: unserved, delete: unserved }
