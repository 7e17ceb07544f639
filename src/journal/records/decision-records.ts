// Decisions: by id, and by merge request, project, delivery, rule, outcome or evaluation.
import type { MergeRequestRef } from '../../rules/types.ts'
import { type DecisionOutcome, outcomeOf } from '../decision-outcome.ts'
import type { JournalStore, Named } from '../stores/store.ts'
import type { DecisionRecord, DeliveryRecord, Journal } from '../types.ts'
import { indicesByDecision, keyOfDelivery } from './delivery-records.ts'
import { key, member, mergeRequestKey } from './keys.ts'
import type { Records } from './records.ts'
import { replaysKey } from './replay-records.ts'
import type { RetentionPolicy } from './retention.ts'
import { countsOfDecision } from './tallies.ts'
import { type IndexLimits, timeIndex } from './time-index.ts'

type Part = Pick<Journal, 'saveDecision' | 'decision' | 'decisions'>

/**
 * `prune` deletes those before a member (see keys.ts), and the oldest above the limit. Their counts are stored as
 * long as they are.
 */
export function decisionRecords(
  store: JournalStore,
  records: Records,
  { history }: Pick<RetentionPolicy, 'history'>,
): { methods: Part; prune: (limits: IndexLimits) => Promise<void> } {
  const listed = timeIndex<DecisionRecord>(store, {
    read: records.all,
    memberFor: memberOfDecision,
    indices,
    besides: (recordKey) => [replaysKey(recordKey)],
  })
  /** Makes its deliveries findable by its matched rules, and by its failure. */
  async function ofDeliveries(decision: DecisionRecord): Promise<Named[]> {
    const held = rulesThatHeld(decision)
    const failed = outcomeOf(decision) === 'failed'
    if (held.length === 0 && !failed) return []
    const found = await records.all<DeliveryRecord>(deliveriesOf(decision).map((id) => keyOfDelivery({ id })))
    return found.flatMap((each) => (each === undefined ? [] : indicesByDecision(each, { held, failed })))
  }

  return {
    methods: {
      async saveDecision(decision) {
        await store.write({
          put: [{ key: keyOf(decision), value: JSON.stringify(decision) }],
          index: [...indices(decision), ...(await ofDeliveries(decision))],
          count: countsOfDecision(decision, history),
        })
      },
      decision: (id) => records.one<DecisionRecord>(keyOf({ id })),
      decisions: ({ service, mergeRequest, project, delivery, rule, outcome, evaluation, ...from }) => {
        const wanted = (record: DecisionRecord) =>
          (service === undefined || record.mergeRequest.service === service) &&
          (mergeRequest === undefined || indexOf(record.mergeRequest) === indexOf(mergeRequest)) &&
          (project === undefined || indexOfProject(record.mergeRequest) === indexOfProject(project)) &&
          (delivery === undefined || deliveriesOf(record).includes(delivery)) &&
          (outcome === undefined || outcomeOf(record) === outcome) &&
          (rule === undefined || rulesThatHeld(record).includes(rule)) &&
          (evaluation === undefined || record.evaluation === evaluation)
        // The smallest index.
        const index =
          evaluation !== undefined
            ? indexOfEvaluation(evaluation)
            : delivery !== undefined
              ? indexOfDelivery(delivery)
              : mergeRequest !== undefined
                ? indexOf(mergeRequest)
                : outcome === 'failed' || (rule === undefined && outcome !== undefined)
                  ? indexOfOutcome(outcome, project)
                  : rule !== undefined
                    ? indexOfRule(rule)
                    : project !== undefined
                      ? indexOfProject(project)
                      : indexOf()
        return listed.page(index, from, wanted)
      },
    },
    prune: async (limits) => void (await listed.prune(indexOf(), limits)),
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
    indexOfOutcome(outcomeOf(record)),
    indexOfOutcome(outcomeOf(record), record.mergeRequest),
    ...(record.evaluation === undefined ? [] : [indexOfEvaluation(record.evaluation)]),
  ]
  const named = memberOfDecision(record)
  return names.map((name) => ({ name, member: named }))
}

const indexOfProject = ({ service, project }: { service: string; project: number }) =>
  key('decisions of project', service, project)
const indexOfDelivery = (id: string) => key('decisions of delivery', id)
const indexOfRule = (name: string) => key('decisions of rule', name)
const indexOfOutcome = (outcome: DecisionOutcome, of?: { service: string; project: number }) =>
  key('decisions of outcome', outcome, ...(of === undefined ? [] : [of.service, of.project]))
const indexOfEvaluation = (id: string) => key('decisions of evaluation', id)
/** The deliveries it settled, and those that were replayed. */
const deliveriesOf = ({ deliveries, replayOf = [] }: DecisionRecord) => [
  ...new Set([...deliveries, ...replayOf.flatMap(({ of, id }) => (of === 'delivery' ? [id] : []))]),
]
const rulesThatHeld = ({ rules }: DecisionRecord) => [
  ...new Set(rules.flatMap(({ name, verdict }) => (verdict === 'true' ? [name] : []))),
]

const keyOf = ({ id }: { id: string }) => key('decision', id)
const memberOfDecision = (record: DecisionRecord) => member(record.at, keyOf(record))
