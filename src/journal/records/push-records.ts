// Pushes: who pushed what to a branch, each push once.

import type { JournalStore } from '../stores/store.ts'
import type { Journal } from '../types.ts'
import { key } from './keys.ts'
import { parsed, type Records } from './records.ts'
import { REPLAYABLE_MS } from './retention.ts'

const KEPT_PUSHES = 100

type Push = Awaited<ReturnType<Journal['pushes']>>[number]

/** A branch not read for `keepMs` is deleted. */
export function pushRecords(
  store: JournalStore,
  records: Records,
  keepMs: number,
): Pick<Journal, 'addPush' | 'pushes'> {
  return {
    async addPush({ project, branch }, push, deliveryId) {
      const list = key('pushes', project, branch)
      const idempotencyKey = key('pushed', project, branch, deliveryId)
      const { seq } = await store.append(list, {
        value: JSON.stringify(push),
        idempotencyKey,
        keepIdempotencyKeyMs: REPLAYABLE_MS,
        keepMs,
      })
      if (seq !== undefined && seq > KEPT_PUSHES) await store.trim(list, seq - KEPT_PUSHES)
    },
    async pushes({ project, branch }) {
      const list = key('pushes', project, branch)
      const entries = await store.entries(list)
      if (entries.length > 0) await records.extend('lists', list, keepMs)
      return entries.slice(-KEPT_PUSHES).map(({ value }) => parsed<Push>(value))
    },
  }
}
