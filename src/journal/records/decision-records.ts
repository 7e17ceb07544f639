// Decisions: by id, and by merge request, project, delivery, rule, outcome or evaluation.
import type { MergeRequestRef } from '../../rules/types.ts'
import { type DecisionOutcome, matchedRules, outcomeOf } from '../decision-outcome.ts'
import type { IndexEntry, JournalStore } from '../stores/store.ts'
import type { DecisionFilter, DecisionRecord, DeliveryRecord, Journal } from '../types.ts'
import { indicesByDecision, keyOfDelivery } from './delivery-records.ts'
import { key, member, mergeRequestKey, msOf } from './keys.ts'
import { putMergeRequestName } from './name-records.ts'
import type { Records } from './records.ts'
import { replaysKey } from './replay-records.ts'
import type { RetentionPolicy } from './retention.ts'
import { countsOfDecision } from './tallies.ts'
import { type IndexLimits, timeIndex } from './time-index.ts'

type DecisionMethods = Pick<Journal, 'saveDecision' | 'decision' | 'decisions'>

/**
 * `prune` deletes those before a member (see keys.ts), and the oldest above the limit. Their counts are stored as
 * long as they are.
 */
export function decisionRecords(
  store: JournalStore,
  records: Records,
  { history }: Pick<RetentionPolicy, 'history'>,
): { methods: DecisionMethods; prune: (limits: IndexLimits) => Promise<void> } {
  const listed = timeIndex<DecisionRecord>(store, {
    history: 'decisions',
    read: records.all,
    memberFor: memberOfDecision,
    indices,
    besides: (recordKey) => [replaysKey(recordKey)],
  })
  /** Entries by which its deliveries are found by its matched rules, and by its failure. */
  async function deliveryEntries(decision: DecisionRecord): Promise<IndexEntry[]> {
    const matched = matchedRules(decision)
    const failed = outcomeOf(decision) === 'failed'
    if (matched.length === 0 && !failed) return []
    const found = await records.all<DeliveryRecord>(deliveriesOf(decision).map((id) => keyOfDelivery({ id })))
    return found.flatMap((each) => (each === undefined ? [] : indicesByDecision(each, { matched, failed })))
  }

  return {
    methods: {
      async saveDecision(decision, name) {
        await store.write({
          put: [
            { key: keyOf(decision), value: JSON.stringify(decision), at: msOf(decision.at) },
            ...putMergeRequestName(decision.mergeRequest, name, history),
          ],
          index: [...indices(decision), ...(await deliveryEntries(decision))],
          count: countsOfDecision(decision, history),
        })
      },
      decision: (id) => records.one<DecisionRecord>(keyOf({ id })),
      decisions: (filter) => listed.page(smallestIndex(filter), filter, (record) => isWanted(record, filter)),
    },
    prune: async (limits) => void (await listed.prune(indexOf(), limits)),
  }
}

function isWanted(record: DecisionRecord, filter: DecisionFilter): boolean {
  const { mergeRequest, project, delivery, rule, outcome, evaluation } = filter
  return (
    (mergeRequest === undefined || indexOf(record.mergeRequest) === indexOf(mergeRequest)) &&
    (project === undefined || record.mergeRequest.project === project) &&
    (delivery === undefined || deliveriesOf(record).includes(delivery)) &&
    (outcome === undefined || outcomeOf(record) === outcome) &&
    (rule === undefined || matchedRules(record).includes(rule)) &&
    (evaluation === undefined || record.evaluation === evaluation)
  )
}

function smallestIndex({ mergeRequest, project, delivery, rule, outcome, evaluation }: DecisionFilter): string {
  if (evaluation !== undefined) return indexOfEvaluation(evaluation)
  if (delivery !== undefined) return indexOfDelivery(delivery)
  if (mergeRequest !== undefined) return indexOf(mergeRequest)
  // Few decisions fail: fewer than those in which a rule matched.
  if (outcome === 'failed' || (rule === undefined && outcome !== undefined)) return indexOfOutcome(outcome, project)
  if (rule !== undefined) return indexOfRule(rule)
  return project === undefined ? indexOf() : indexOfProject(project)
}

function indexOf(mergeRequest?: MergeRequestRef): string {
  return mergeRequest === undefined ? key('decisions') : mergeRequestKey('decisions', mergeRequest)
}

function indices(record: DecisionRecord): IndexEntry[] {
  const names = [
    indexOf(),
    indexOf(record.mergeRequest),
    indexOfProject(record.mergeRequest.project),
    ...deliveriesOf(record).map(indexOfDelivery),
    ...matchedRules(record).map(indexOfRule),
    indexOfOutcome(outcomeOf(record)),
    indexOfOutcome(outcomeOf(record), record.mergeRequest.project),
    ...(record.evaluation === undefined ? [] : [indexOfEvaluation(record.evaluation)]),
  ]
  const named = memberOfDecision(record)
  return [...names.map((name) => ({ name, member: named })), ...evaluationEntries(record)]
}

/** By which evaluations are found by how their ids begin. */
function evaluationEntries({ at, evaluation }: DecisionRecord): IndexEntry[] {
  if (evaluation === undefined) return []
  return [{ name: key('evaluations'), member: member(at, key('evaluation', evaluation)) }]
}

const indexOfProject = (project: number) => key('decisions of project', project)
const indexOfDelivery = (id: string) => key('decisions of delivery', id)
const indexOfRule = (name: string) => key('decisions of rule', name)
const indexOfOutcome = (outcome: DecisionOutcome, project?: number) =>
  key('decisions of outcome', outcome, ...(project === undefined ? [] : [project]))
const indexOfEvaluation = (id: string) => key('decisions of evaluation', id)
/** The deliveries it settled, and those that were replayed. */
const deliveriesOf = ({ deliveries, replayOf = [] }: DecisionRecord) => [
  ...new Set([...deliveries, ...replayOf.flatMap(({ of, id }) => (of === 'delivery' ? [id] : []))]),
]

const keyOf = ({ id }: { id: string }) => key('decision', id)
const memberOfDecision = (record: DecisionRecord) => member(record.at, keyOf(record))
