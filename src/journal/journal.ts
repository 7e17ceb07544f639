// The journal: its records over the few operations of a store.
import { DAY_MS } from './days.ts'
import type { JournalUnavailable } from './errors.ts'
import { auditRecords } from './records/audit-records.ts'
import { decisionRecords } from './records/decision-records.ts'
import { deliveryRecords } from './records/delivery-records.ts'
import { idsFrom } from './records/ids.ts'
import { key, memberAt, mergeRequestKey } from './records/keys.ts'
import { mergeQueueRecords } from './records/merge-queue-records.ts'
import { nameRecords } from './records/name-records.ts'
import { pendingEventRecords } from './records/pending-event-records.ts'
import { pushRecords } from './records/push-records.ts'
import { recordsIn } from './records/records.ts'
import { replayRecords } from './records/replay-records.ts'
import { BRANCH_MS, DEFAULT_RETENTION, type RetentionPolicy } from './records/retention.ts'
import { ruleFileRecords } from './records/rule-file-records.ts'
import { countRecords } from './records/tallies.ts'
import { timesRecords } from './records/times-records.ts'
import { withUnavailable } from './stores/reachable-store.ts'
import type { JournalStore } from './stores/store.ts'
import { tryEach } from './try-each.ts'
import type { Journal } from './types.ts'

/** Stores know only texts; this layer knows the keys. `failed` takes each failure of the store, which is thrown too. */
export function createJournal(
  given: JournalStore,
  retention: Partial<RetentionPolicy> = {},
  failed: (error: JournalUnavailable) => void = () => undefined,
): Journal {
  const store = withUnavailable(given, failed)
  const policy = { ...DEFAULT_RETENTION, ...retention }
  const records = recordsIn(store)
  const deliveries = deliveryRecords(store, records, policy)
  const decisions = decisionRecords(store, records, policy)
  const audit = auditRecords(store, records)
  const times = timesRecords(store, records, policy)

  return {
    ...deliveries.methods,
    ...decisions.methods,
    ...audit.methods,
    ...times.methods,
    ...replayRecords(records, policy.history),
    ...pendingEventRecords(store, policy),
    ...countRecords(store, policy.history),
    ...pushRecords(store, records, policy.pushes),
    ...mergeQueueRecords(store, records, policy),
    ...ruleFileRecords(store, records, policy.ruleFiles),
    ...nameRecords(store, records),
    idsFrom: (of, prefix, limit) => idsFrom(store, of, prefix, limit),

    memory: (mergeRequest) => records.one(mergeRequestKey('memory', mergeRequest)),
    saveMemory: (mergeRequest, memory, over = false) =>
      records.write(mergeRequestKey('memory', mergeRequest), memory, over ? policy.over : undefined),

    projectMark: (project, mark) => records.readAndExtend<string>(key('mark', project, mark), policy.marks),
    markProject: (project, mark, value) => records.write(key('mark', project, mark), value, policy.marks),
    changeMark: (project, mark, to) => records.change<string>(key('mark', project, mark), to, policy.marks),

    branchRequests: ({ project, branch }) => records.one(key('branch', project, branch)),
    changeBranchRequests: ({ project, branch }, to) => records.change(key('branch', project, branch), to, BRANCH_MS),

    saveSweep: (sweep) => records.write(key('sweep', sweep.id), sweep, DAY_MS),
    sweep: (id) => records.one(key('sweep', id)),

    endSession: (id) => records.write(key('ended session', id), true, DAY_MS),
    sessionEnded: async (id) => (await records.one(key('ended session', id))) !== undefined,

    async prune(now) {
      const limits = { before: memberAt(new Date(now.getTime() - policy.history)), most: policy.most }
      // What cannot be deleted now, as while a backup reads it, must not keep the rest.
      await tryEach([
        () => deliveries.prune(limits),
        () => decisions.prune(limits),
        () => audit.prune(now),
        () => times.prune(now),
        () => store.dropExpired(now),
      ])
    },
  }
}
