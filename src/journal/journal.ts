// What Bellhop remembers, said in the journal's own words over the few things that a store can do.
import { auditRecords } from './audit-records.ts'
import { decisionRecords } from './decision-records.ts'
import { deliveryRecords } from './delivery-records.ts'
import { DAY_MS, KEEPING, type Keeping } from './keeping.ts'
import { key, memberAt, mergeRequestKey } from './keys.ts'
import { mailboxes } from './mailbox.ts'
import { pushRecords } from './pushes.ts'
import { reachable } from './reachable-store.ts'
import { recordsIn } from './records.ts'
import { replayRecords } from './replay-records.ts'
import { ruleFileRecords } from './rule-file-records.ts'
import type { JournalStore } from './store.ts'
import { tallyRecords } from './tallies.ts'
import type { Journal } from './types.ts'

/** The one layer that knows what is kept where; the stores know only texts. */
export function journalOver(given: JournalStore, keeping: Partial<Keeping> = {}): Journal {
  const store = reachable(given)
  const kept = { ...KEEPING, ...keeping }
  const records = recordsIn(store)
  const deliveries = deliveryRecords(store, records, kept)
  const decisions = decisionRecords(store, records, kept)
  const audit = auditRecords(store, records)

  return {
    ...deliveries.methods,
    ...decisions.methods,
    ...audit.methods,
    ...replayRecords(records, kept.history),
    ...mailboxes(store, kept),
    ...tallyRecords(store, kept.history),
    ...pushRecords(store, records, kept.pushes),
    ...ruleFileRecords(store, records, kept.ruleFiles),

    memory: (mergeRequest) => records.one(mergeRequestKey('memory', mergeRequest)),
    saveMemory: (mergeRequest, memory, over = false) =>
      records.keep(mergeRequestKey('memory', mergeRequest), memory, over ? kept.over : undefined),

    projectMark: (service, project, mark) => records.keptOn<string>(key('mark', service, project, mark), kept.marks),
    markProject: (service, project, mark, value) => records.keep(key('mark', service, project, mark), value, kept.marks),
    changeMark: (service, project, mark, to) => records.change<string>(key('mark', service, project, mark), to, kept.marks),

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
