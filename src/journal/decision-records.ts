// What the journal remembers of decisions: each by its id, and those of one merge request.
import type { MergeRequestRef } from '../rules/types.ts'
import { key, member, mergeRequestKey } from './keys.ts'
import type { Records } from './records.ts'
import type { JournalStore, Named } from './store.ts'
import { timeIndex } from './time-index.ts'
import type { DecisionRecord, Journal } from './types.ts'

type Part = Pick<Journal, 'saveDecision' | 'decision' | 'decisions'>

/** The journal's methods for decisions; `prune` drops those of before a member (see keys.ts). */
export function decisionRecords(store: JournalStore, records: Records): { methods: Part; prune: (before: string) => Promise<void> } {
  const listed = timeIndex<DecisionRecord>(store, { read: records.all, memberFor: memberOfDecision, indices })
  return {
    methods: {
      async saveDecision(decision) {
        await store.write({ put: [{ key: keyOf(decision), value: JSON.stringify(decision) }], index: indices(decision) })
      },
      decision: (id) => records.one<DecisionRecord>(keyOf({ id })),
      decisions: ({ mergeRequest, limit, after }) => listed.page(indexOf(mergeRequest), { limit, after }),
    },
    prune: (before) => listed.prune(indexOf(), before),
  }
}

function indexOf(mergeRequest?: MergeRequestRef): string {
  return mergeRequest === undefined ? key('decisions') : mergeRequestKey('decisions', mergeRequest)
}

function indices(record: DecisionRecord): Named[] {
  return [indexOf(), indexOf(record.mergeRequest)].map((name) => ({ name, member: memberOfDecision(record) }))
}

const keyOf = ({ id }: { id: string }) => key('decision', id)
const memberOfDecision = (record: DecisionRecord) => member(record.at, keyOf(record))
