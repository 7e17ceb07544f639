// Issues of a project and their notes.
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../handler.ts'
import { unserved } from './unserved.ts'

export const issues: Handlers<Api['issues']> = {
  list: unserved,
  get: unserved,
  create: unserved,
  update: unserved,
  notes: { list: unserved, create: unserved },
}
