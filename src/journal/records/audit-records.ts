// The audit log: requests to the admin API.

import type { JournalStore } from '../stores/store.ts'
import type { AuditEntry, Journal } from '../types.ts'
import { key, member, memberAt } from './keys.ts'
import type { Records } from './records.ts'
import { AUDIT_MOST, AUDIT_MS } from './retention.ts'
import { timeIndex } from './time-index.ts'

const log = key('audit')

/** `prune` deletes what is past its retention. */
export function auditRecords(
  store: JournalStore,
  records: Records,
): { methods: Pick<Journal, 'saveAudit' | 'audits'>; prune: (now: Date) => Promise<void> } {
  const listed = timeIndex<AuditEntry>(store, { read: records.all, memberFor, indices: () => [] })
  return {
    methods: {
      saveAudit: (entry) =>
        store.write({
          put: [{ key: keyOf(entry), value: JSON.stringify(entry) }],
          index: [{ name: log, member: memberFor(entry) }],
        }),
      audits: (from) => listed.page(log, from),
    },
    prune: async (now) => {
      await listed.prune(log, { before: memberAt(new Date(now.getTime() - AUDIT_MS)), most: AUDIT_MOST })
    },
  }
}

const keyOf = ({ id }: { id: string }) => key('audit entry', id)
const memberFor = (entry: AuditEntry) => member(entry.at, keyOf(entry))
