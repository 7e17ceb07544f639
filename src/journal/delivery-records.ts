// What the journal remembers of deliveries: the records and who replayed them, their bodies, and which projects they made known.

import { REPLAYABLE_MS } from './keeping.ts'
import { key, member } from './keys.ts'
import { parsed, type Records } from './records.ts'
import type { JournalStore, Named } from './store.ts'
import { timeIndex } from './time-index.ts'
import type { DeliveryRecord, Journal } from './types.ts'

const MEMBERS_AT_ONCE = 1_000
const STATES: readonly DeliveryRecord['state'][] = ['received', 'read', 'uninteresting', 'unreadable', 'refused']

type Unreplayed = Omit<DeliveryRecord, 'replays'>
type Part = Pick<
  Journal,
  'saveDelivery' | 'addReplay' | 'delivery' | 'deliveries' | 'saveBody' | 'body' | 'knownProjects' | 'forgetProject'
>

/** The journal's methods for deliveries; `prune` drops those of before a member (see keys.ts). */
export function deliveryRecords(store: JournalStore, records: Records): { methods: Part; prune: (before: string) => Promise<void> } {
  const listed = timeIndex<DeliveryRecord>(store, {
    read,
    memberFor: memberOfDelivery,
    indices: (record) => indices(record, [undefined, ...STATES]),
    besides: (recordKey) => [replaysOf(recordKey)],
  })

  /** The deliveries of these keys, each with who replayed it. */
  async function read(recordKeys: readonly string[]): Promise<(DeliveryRecord | undefined)[]> {
    const texts = await store.read([...recordKeys, ...recordKeys.map(replaysOf)])
    return recordKeys.map((_, at) => {
      const [text, replays] = [texts[at], texts[recordKeys.length + at]]
      return text === undefined ? undefined : { ...parsed<DeliveryRecord>(text), replays: replays === undefined ? [] : parsed(replays) }
    })
  }

  return {
    methods: {
      async saveDelivery({ replays: _replays, ...delivery }) {
        const others = STATES.filter((state) => state !== delivery.state)
        await store.write({
          put: [{ key: keyOf(delivery), value: JSON.stringify(delivery) }],
          index: [...indices(delivery, [undefined, delivery.state]), ...madeKnown(delivery)],
          unindex: indices(delivery, others),
        })
      },
      addReplay: (id, replay) =>
        records.change<DeliveryRecord['replays']>(replaysOf(keyOf({ id })), (before = []) => [...before, replay], REPLAYABLE_MS),
      delivery: async (id) => (await read([keyOf({ id })]))[0],
      deliveries: ({ project, state, limit, after }) =>
        listed.page(
          indexOf(project, state),
          { limit, after },
          // An index may name a record that has moved on since.
          (record) => (state === undefined || record.state === state) && (project === undefined || projectsOf(record).includes(project)),
        ),
      saveBody: (deliveryId, body, keepMs) => records.keep(key('body', deliveryId), body, keepMs),
      body: (deliveryId) => records.one<string>(key('body', deliveryId)),

      async knownProjects(service) {
        const index = key('projects', service)
        const known: number[] = []
        for (let before: string | undefined; ; ) {
          const members = await store.members(index, { limit: MEMBERS_AT_ONCE, ...(before === undefined ? {} : { before }) })
          for (const project of members.map(Number)) {
            const [newest] = await store.members(indexOf(project, 'read'), { limit: 1 })
            if (newest !== undefined) known.push(project)
          }
          before = members.at(-1)
          if (members.length < MEMBERS_AT_ONCE) return known.sort((a, b) => a - b)
        }
      },
      forgetProject: (service, project) => store.write({ unindex: [{ name: key('projects', service), member: String(project) }] }),
    },
    prune: (before) => listed.prune(indexOf(), before),
  }
}

function indexOf(project?: number, state?: DeliveryRecord['state']): string {
  return key('deliveries', ...(project === undefined ? [] : [project]), ...(state === undefined ? [] : [state]))
}

function indices(record: Unreplayed, states: readonly (DeliveryRecord['state'] | undefined)[]): Named[] {
  const names = [undefined, ...projectsOf(record)].flatMap((project) => states.map((state) => indexOf(project, state)))
  return names.map((name) => ({ name, member: memberOfDelivery(record) }))
}

function projectsOf(record: Unreplayed): number[] {
  const named = [record.event?.project, ...record.mergeRequests.map(({ project }) => project)]
  return [...new Set(named)].filter((project) => project !== undefined)
}

/** Named by whoever has woken merge requests of them: what was refused makes no project known. */
function madeKnown({ service, mergeRequests }: Unreplayed): Named[] {
  const projects = new Set(mergeRequests.map(({ project }) => project))
  return [...projects].map((project) => ({ name: key('projects', service), member: String(project) }))
}

const keyOf = ({ id }: { id: string }) => key('delivery', id)
/** Beside the delivery itself, so that whoever reads it and whoever replays it write different things. */
const replaysOf = (recordKey: string) => key('replays', recordKey)
const memberOfDelivery = (record: Unreplayed) => member(record.receivedAt, keyOf(record))
