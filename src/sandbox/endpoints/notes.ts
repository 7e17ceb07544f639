// Notes and award emoji of merge requests.
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../handler.ts'
import { unserved } from './unserved.ts'

export const notes: Handlers<Api['mergeRequests']['notes']> = {
  list: unserved,
  get: unserved,
  create: unserved,
  update: unserved,
  delete: unserved,
}

export const awardEmoji: Handlers<Api['mergeRequests']['awardEmoji']> = { list: unserved, create: unserved, delete: unserved }

export const issueNotes: Handlers<Api['issues']['notes']> = { list: unserved, create: unserved }
