// What the journal remembers of requests to the admin API: the audit log.
import { AUDIT_MOST, AUDIT_MS } from './keeping.ts'
import { key, member, memberAt } from './keys.ts'
import type { Records } from './records.ts'
import type { JournalStore } from './store.ts'
import { timeIndex } from './time-index.ts'
import type { AuditEntry, Journal } from './types.ts'

const log = key('audit')

/** The journal's methods for the audit log; `prune` drops what is older than its time. */
export function auditRecords(
  store: JournalStore,
  records: Records,
): { methods: Pick<Journal, 'saveAudit' | 'audits'>; prune: (now: Date) => Promise<void> } {
  const listed = timeIndex<AuditEntry>(store, { read: records.all, memberFor, indices: () => [] })
  return {
    methods: {
      saveAudit: (entry) =>
        store.write({ put: [{ key: keyOf(entry), value: JSON.stringify(entry) }], index: [{ name: log, member: memberFor(entry) }] }),
      audits: (from) => listed.page(log, from),
    },
    prune: async (now) => {
      await listed.prune(log, { before: memberAt(new Date(now.getTime() - AUDIT_MS)), most: AUDIT_MOST })
    },
  }
}

const keyOf = ({ id }: { id: string }) => key('audit entry', id)
const memberFor = (entry: AuditEntry) => member(entry.at, keyOf(entry))
