// The journal: its records over the few operations of a store.
import { auditRecords } from './records/audit-records.ts'
import { decisionRecords } from './records/decision-records.ts'
import { deliveryRecords } from './records/delivery-records.ts'
import { key, memberAt, mergeRequestKey } from './records/keys.ts'
import { pendingEventRecords } from './records/pending-event-records.ts'
import { pushRecords } from './records/push-records.ts'
import { recordsIn } from './records/records.ts'
import { replayRecords } from './records/replay-records.ts'
import { DAY_MS, DEFAULT_RETENTION, type RetentionPolicy } from './records/retention.ts'
import { ruleFileRecords } from './records/rule-file-records.ts'
import { countRecords } from './records/tallies.ts'
import { withUnavailable } from './stores/reachable-store.ts'
import type { JournalStore } from './stores/store.ts'
import type { Journal } from './types.ts'

/** Stores know only texts; this layer knows the keys. */
export function createJournal(given: JournalStore, keeping: Partial<RetentionPolicy> = {}): Journal {
  const store = withUnavailable(given)
  const kept = { ...DEFAULT_RETENTION, ...keeping }
  const records = recordsIn(store)
  const deliveries = deliveryRecords(store, records, kept)
  const decisions = decisionRecords(store, records, kept)
  const audit = auditRecords(store, records)

  return {
    ...deliveries.methods,
    ...decisions.methods,
    ...audit.methods,
    ...replayRecords(records, kept.history),
    ...pendingEventRecords(store, kept),
    ...countRecords(store, kept.history),
    ...pushRecords(store, records, kept.pushes),
    ...ruleFileRecords(records, kept.ruleFiles),

    memory: (mergeRequest) => records.one(mergeRequestKey('memory', mergeRequest)),
    saveMemory: (mergeRequest, memory, over = false) =>
      records.keep(mergeRequestKey('memory', mergeRequest), memory, over ? kept.over : undefined),

    projectMark: (service, project, mark) => records.keptOn<string>(key('mark', service, project, mark), kept.marks),
    markProject: (service, project, mark, value) =>
      records.keep(key('mark', service, project, mark), value, kept.marks),
    changeMark: (service, project, mark, to) =>
      records.change<string>(key('mark', service, project, mark), to, kept.marks),

    saveSweep: (sweep) => records.keep(key('sweep', sweep.id), sweep, DAY_MS),
    sweep: (id) => records.one(key('sweep', id)),

    endSession: (id) => records.keep(key('ended session', id), true, DAY_MS),
    sessionEnded: async (id) => (await records.one(key('ended session', id))) !== undefined,

    async prune(now) {
      const limits = { before: memberAt(new Date(now.getTime() - kept.history)), most: kept.most }
      await deliveries.prune(limits)
      await decisions.prune(limits)
      await audit.prune(now)
      await store.dropExpired(now)
    },
  }
}
