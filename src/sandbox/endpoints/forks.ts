// Forks, fork relations, housekeeping and pull mirroring (api-v4.md §3.5, §4.3).
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../handler.ts'
import { unserved } from './unserved.ts'

type Forks = Pick<Api['projects'], 'fork' | 'forks' | 'createForkRelation' | 'deleteForkRelation' | 'housekeeping' | 'mirrorPull'>

export const forks: Handlers<Forks> = {
  fork: unserved,
  forks: unserved,
  createForkRelation: unserved,
  deleteForkRelation: unserved,
  housekeeping: unserved,
  mirrorPull: unserved,
}
