// Deliveries: the records, their bodies, and the projects known from them.
import type { MergeRequestRef } from '../../rules/types.ts'
import { deliveryStates } from '../delivery-states.ts'
import type { IndexEntry, JournalStore } from '../stores/store.ts'
import type { DeliveryRecord, Journal } from '../types.ts'
import { key, member, mergeRequestKey, msOf } from './keys.ts'
import { putMergeRequestName } from './name-records.ts'
import { parsed, type Records } from './records.ts'
import { replaysKey } from './replay-records.ts'
import type { RetentionPolicy } from './retention.ts'
import { countsOfDelivery } from './tallies.ts'
import { type IndexLimits, timeIndex } from './time-index.ts'

const MEMBERS_AT_ONCE = 1_000
const MOST_RULES = 10_000

type DeliveryWithoutReplays = Omit<DeliveryRecord, 'replays'>
type DeliveryMethods = Pick<
  Journal,
  'saveDelivery' | 'delivery' | 'deliveries' | 'body' | 'knownProjects' | 'forgetProject'
>

/**
 * `prune` deletes those before a member (see keys.ts), and the oldest above the limit. Their counts are stored as
 * long as they are.
 */
export function deliveryRecords(
  store: JournalStore,
  records: Records,
  { history }: Pick<RetentionPolicy, 'history'>,
): { methods: DeliveryMethods; prune: (limits: IndexLimits) => Promise<void> } {
  const listed = timeIndex<DeliveryRecord>(store, {
    history: 'deliveries',
    read,
    memberFor: memberOfDelivery,
    indices: (record) => indices(record, [undefined, ...deliveryStates]),
    besides: (recordKey) => [replaysKey(recordKey)],
  })

  /** With their replays. */
  async function read(recordKeys: readonly string[]): Promise<(DeliveryRecord | undefined)[]> {
    const texts = await store.read([...recordKeys, ...recordKeys.map(replaysKey)])
    return recordKeys.map((_, at) => {
      const [text, replays] = [texts[at], texts[recordKeys.length + at]]
      return text === undefined
        ? undefined
        : { ...parsed<DeliveryRecord>(text), replays: replays === undefined ? [] : parsed(replays) }
    })
  }

  return {
    methods: {
      async saveDelivery({ replays: _replays, ...delivery }, body, name) {
        const { state, receivedAt } = delivery
        const at = msOf(receivedAt)
        const record = { key: keyOfDelivery(delivery), value: JSON.stringify(delivery), at }
        // A later state wins over a late `received` of the same delivery. At another `receivedAt` it is another delivery, whose sender reuses the id.
        const guarded =
          state === 'received'
            ? { guarded: { ...record, unless: JSON.stringify({ receivedAt }).slice(1, -1) } }
            : undefined
        // A first write was in no other state. If another process wrote one meanwhile, its old index entry stays and is filtered out.
        const others =
          guarded === undefined && body === undefined ? deliveryStates.filter((each) => each !== state) : []
        await store.write({
          ...guarded,
          put: [
            ...(guarded === undefined ? [record] : []),
            ...(body === undefined
              ? []
              : [{ key: bodyKeyOf(delivery), value: JSON.stringify(body.text), keepMs: body.keepMs, at }]),
            ...putMergeRequestName(delivery.event ?? {}, name, history),
          ],
          index: [...indices(delivery, [undefined, state]), ...projectEntries(delivery)],
          unindex: indices(delivery, others),
          count: countsOfDelivery(delivery, history),
        })
      },
      delivery: async (id) => (await read([keyOfDelivery({ id })]))[0],
      deliveries: ({ project, mergeRequest, state, kind, rule, outcome, ...from }) => {
        // An index may name a record that has changed since.
        const wanted = (record: DeliveryRecord) =>
          (state === undefined || record.state === state) &&
          (project === undefined || projectsOf(record).includes(project)) &&
          (kind === undefined || record.event?.kind === kind) &&
          (mergeRequest === undefined ||
            record.mergeRequests.some((each) => indexOfOne(each) === indexOfOne(mergeRequest)))
        // The record does not name its decisions: only these indices know.
        if (outcome !== undefined) return listed.page(indexOfFailed(rule), from, wanted)
        if (rule !== undefined) return listed.page(indexOfRule(rule), from, wanted)
        if (mergeRequest !== undefined) return listed.page(indexOfOne(mergeRequest), from, wanted)
        if (kind !== undefined && project === undefined) return listed.page(indexOfKind(kind), from, wanted)
        return listed.page(indexOf(project, state), from, wanted)
      },
      body: (id) => records.one<string>(bodyKeyOf({ id })),

      async knownProjects() {
        const known: number[] = []
        for (let before: string | undefined; ; ) {
          const members = await store.members(knownProjects, {
            limit: MEMBERS_AT_ONCE,
            ...(before === undefined ? {} : { before }),
          })
          for (const project of members.map(Number)) {
            const [newest] = await store.members(indexOf(project, 'read'), { limit: 1 })
            if (newest !== undefined) known.push(project)
          }
          before = members.at(-1)
          if (members.length < MEMBERS_AT_ONCE) return known.sort((a, b) => a - b)
        }
      },
      forgetProject: (project) => store.write({ unindex: [{ name: knownProjects, member: String(project) }] }),
    },
    async prune(limits) {
      const before = await listed.prune(indexOf(), limits)
      for (const name of await store.members(filledByDecisions, { limit: MOST_RULES })) {
        let old: string[]
        do {
          old = await store.oldest(name, { before, limit: MEMBERS_AT_ONCE })
          await store.write({ unindex: old.map((each) => ({ name, member: each })) })
        } while (old.length === MEMBERS_AT_ONCE)
        const [left] = await store.members(name, { limit: 1 })
        if (left === undefined) await store.write({ unindex: [{ name: filledByDecisions, member: name }] })
      }
    },
  }
}

function indexOf(project?: number, state?: DeliveryRecord['state']): string {
  return key('deliveries', ...(project === undefined ? [] : [project]), ...(state === undefined ? [] : [state]))
}

function indices(
  record: DeliveryWithoutReplays,
  states: readonly (DeliveryRecord['state'] | undefined)[],
): IndexEntry[] {
  const names = [undefined, ...projectsOf(record)].flatMap((project) => states.map((state) => indexOf(project, state)))
  const whole = states.includes(undefined)
    ? [...record.mergeRequests.map(indexOfOne), ...kindsOf(record).map(indexOfKind)]
    : []
  const named = memberOfDelivery(record)
  return [...names, ...whole].map((name) => ({ name, member: named }))
}

const indexOfOne = (mergeRequest: MergeRequestRef) => mergeRequestKey('deliveries of', mergeRequest)
const indexOfKind = (kind: string) => key('deliveries of kind', kind)
const kindsOf = ({ event }: DeliveryWithoutReplays) => (event === undefined ? [] : [event.kind])

function projectsOf(record: DeliveryWithoutReplays): number[] {
  const named = [record.event?.project, ...record.mergeRequests.map(({ project }) => project)]
  return [...new Set(named)].filter((project) => project !== undefined)
}

/** Entries by the matched rules and by the failure of one of its decisions. A delivery has many decisions, so prune removes these separately. */
export function indicesByDecision(
  record: DeliveryWithoutReplays,
  { matched, failed }: { matched: readonly string[]; failed: boolean },
): IndexEntry[] {
  const names = [...matched.map(indexOfRule), ...(failed ? [undefined, ...matched].map(indexOfFailed) : [])]
  const named = memberOfDelivery(record)
  return names.flatMap((name) => [
    { name, member: named },
    { name: filledByDecisions, member: name },
  ])
}

const indexOfRule = (rule: string) => key('deliveries of rule', rule)
const indexOfFailed = (rule?: string) => key('deliveries that failed', ...(rule === undefined ? [] : [rule]))
const filledByDecisions = key('rules of deliveries')
const knownProjects = key('projects')

/** A refused delivery makes no project known. */
function projectEntries({ mergeRequests }: DeliveryWithoutReplays): IndexEntry[] {
  const projects = new Set(mergeRequests.map(({ project }) => project))
  return [...projects].map((project) => ({ name: knownProjects, member: String(project) }))
}

export const keyOfDelivery = ({ id }: { id: string }) => key('delivery', id)
const bodyKeyOf = ({ id }: { id: string }) => key('body', id)
const memberOfDelivery = (record: DeliveryWithoutReplays) => member(record.receivedAt, keyOfDelivery(record))
