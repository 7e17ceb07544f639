// What the journal remembers of decisions: each by its id, and those of a merge request, a project, a delivery, a rule, an outcome or an evaluation.
import type { MergeRequestRef } from '../rules/types.ts'
import { type DecisionOutcome, outcomeOf } from './decision-outcome.ts'
import { indicesByDecision, keyOfDelivery } from './delivery-records.ts'
import type { Keeping } from './keeping.ts'
import { key, member, mergeRequestKey } from './keys.ts'
import type { Records } from './records.ts'
import { replaysKey } from './replay-records.ts'
import type { JournalStore, Named } from './store.ts'
import { countsOfDecision } from './tallies.ts'
import { type Limits, timeIndex } from './time-index.ts'
import type { DecisionRecord, DeliveryRecord, Journal } from './types.ts'

type Part = Pick<Journal, 'saveDecision' | 'decision' | 'decisions'>

/** The journal's methods for decisions; `prune` drops those of before a member (see keys.ts), and of too many. What they are counted in is kept as long as they. */
export function decisionRecords(
  store: JournalStore,
  records: Records,
  { history }: Pick<Keeping, 'history'>,
): { methods: Part; prune: (limits: Limits) => Promise<void> } {
  const listed = timeIndex<DecisionRecord>(store, {
    read: records.all,
    memberFor: memberOfDecision,
    indices,
    besides: (recordKey) => [replaysKey(recordKey)],
  })
  /** Its deliveries are found by the rules that held, and by its failing. */
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
        // The index that names the fewest.
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

const indexOfProject = ({ service, project }: { service: string; project: number }) => key('decisions of project', service, project)
const indexOfDelivery = (id: string) => key('decisions of delivery', id)
const indexOfRule = (name: string) => key('decisions of rule', name)
const indexOfOutcome = (outcome: DecisionOutcome, of?: { service: string; project: number }) =>
  key('decisions of outcome', outcome, ...(of === undefined ? [] : [of.service, of.project]))
const indexOfEvaluation = (id: string) => key('decisions of evaluation', id)
/** Those whose events it settled, and those that were replayed. */
const deliveriesOf = ({ deliveries, replayOf = [] }: DecisionRecord) => [
  ...new Set([...deliveries, ...replayOf.flatMap(({ of, id }) => (of === 'delivery' ? [id] : []))]),
]
const rulesThatHeld = ({ rules }: DecisionRecord) => [...new Set(rules.flatMap(({ name, verdict }) => (verdict === 'true' ? [name] : [])))]

const keyOf = ({ id }: { id: string }) => key('decision', id)
const memberOfDecision = (record: DecisionRecord) => member(record.at, keyOf(record))
