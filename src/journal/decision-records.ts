// What the journal remembers of decisions: each by its id, and those of a merge request, a project, a delivery, a rule or an evaluation.
import type { MergeRequestRef } from '../rules/types.ts'
import { key, member, mergeRequestKey } from './keys.ts'
import type { Records } from './records.ts'
import { replaysKey } from './replay-records.ts'
import type { JournalStore, Named } from './store.ts'
import { countsOfDecision } from './tallies.ts'
import { timeIndex } from './time-index.ts'
import type { DecisionRecord, Journal } from './types.ts'

type Part = Pick<Journal, 'saveDecision' | 'decision' | 'decisions'>

/** The journal's methods for decisions; `prune` drops those of before a member (see keys.ts). What they are counted in is kept for `historyMs`. */
export function decisionRecords(
  store: JournalStore,
  records: Records,
  historyMs: number,
): { methods: Part; prune: (before: string) => Promise<void> } {
  const listed = timeIndex<DecisionRecord>(store, {
    read: records.all,
    memberFor: memberOfDecision,
    indices,
    besides: (recordKey) => [replaysKey(recordKey)],
  })
  return {
    methods: {
      async saveDecision(decision) {
        await store.write({
          put: [{ key: keyOf(decision), value: JSON.stringify(decision) }],
          index: indices(decision),
          count: countsOfDecision(decision, historyMs),
        })
      },
      decision: (id) => records.one<DecisionRecord>(keyOf({ id })),
      decisions: ({ mergeRequest, project, delivery, rule, evaluation, ...from }) => {
        const wanted = (record: DecisionRecord) =>
          (mergeRequest === undefined || indexOf(record.mergeRequest) === indexOf(mergeRequest)) &&
          (project === undefined || indexOfProject(record.mergeRequest) === indexOfProject(project)) &&
          (delivery === undefined || deliveriesOf(record).includes(delivery)) &&
          (rule === undefined || rulesThatHeld(record).includes(rule)) &&
          (evaluation === undefined || record.evaluation === evaluation)
        // The index that names the fewest.
        const index =
          evaluation !== undefined
            ? indexOfEvaluation(evaluation)
            : delivery !== undefined
              ? indexOfDelivery(delivery)
              : mergeRequest !== undefined
                ? indexOf(mergeRequest)
                : rule !== undefined
                  ? indexOfRule(rule)
                  : project !== undefined
                    ? indexOfProject(project)
                    : indexOf()
        return listed.page(index, from, wanted)
      },
    },
    prune: (before) => listed.prune(indexOf(), before),
  }
}

function indexOf(mergeRequest?: MergeRequestRef): string {
  return mergeRequest === undefined ? key('decisions') : mergeRequestKey('decisions', mergeRequest)
}

function indices(record: DecisionRecord): Named[] {
  const names = [
    indexOf(),
    indexOf(record.mergeRequest),
    indexOfProject(record.mergeRequest),
    ...deliveriesOf(record).map(indexOfDelivery),
    ...rulesThatHeld(record).map(indexOfRule),
    ...(record.evaluation === undefined ? [] : [indexOfEvaluation(record.evaluation)]),
  ]
  return names.map((name) => ({ name, member: memberOfDecision(record) }))
}

const indexOfProject = ({ service, project }: { service: string; project: number }) => key('decisions of project', service, project)
const indexOfDelivery = (id: string) => key('decisions of delivery', id)
const indexOfRule = (name: string) => key('decisions of rule', name)
const indexOfEvaluation = (id: string) => key('decisions of evaluation', id)
/** Those whose events it settled, and those that were replayed. */
const deliveriesOf = ({ deliveries, replayOf = [] }: DecisionRecord) => [
  ...new Set([...deliveries, ...replayOf.flatMap(({ of, id }) => (of === 'delivery' ? [id] : []))]),
]
const rulesThatHeld = ({ rules }: DecisionRecord) => [...new Set(rules.flatMap(({ name, verdict }) => (verdict === 'true' ? [name] : [])))]

const keyOf = ({ id }: { id: string }) => key('decision', id)
const memberOfDecision = (record: DecisionRecord) => member(record.at, keyOf(record))
