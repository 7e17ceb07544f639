// Labels of a project.
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../handler.ts'
import { unserved } from './unserved.ts'

export const labels: Handlers<Api['labels']> = { list: unserved, create: unserved, delete: unserved }
