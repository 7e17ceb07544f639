// What Bellhop remembers, said in the journal's own words over the few things that a store can do.
import type { MergeRequestRef } from '../rules/types.ts'
import { JournalUnavailable } from './errors.ts'
import { cursorOf, key, member, memberAt, memberOf, mergeRequestKey, recordKeyOf } from './keys.ts'
import type { JournalStore, Named } from './store.ts'
import type { DecisionRecord, DeliveryRecord, Journal, MailboxEntry, Page } from './types.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const KEPT_DAYS = 30
const KEPT_PUSHES = 100
const PRUNED_AT_ONCE = 200
const MEMBERS_AT_ONCE = 1_000
const STATES: readonly DeliveryRecord['state'][] = ['received', 'read', 'uninteresting', 'unreadable', 'refused']

type Push = Awaited<ReturnType<Journal['pushes']>>[number]

/** The one layer that knows what is kept where; the stores know only texts. */
export function journalOver(given: JournalStore): Journal {
  const store = reaching(given)

  async function one<T>(recordKey: string): Promise<T | undefined> {
    const [text] = await store.read([recordKey])
    return text === undefined ? undefined : parsed<T>(text)
  }

  const keep = (recordKey: string, value: unknown, keepMs?: number) =>
    store.write({ put: [{ key: recordKey, value: JSON.stringify(value), ...(keepMs === undefined ? {} : { keepMs }) }] })

  async function page<T>(
    index: string,
    { limit, after }: { limit: number; after: string | undefined },
    memberFor: (record: T) => string,
    wanted: (record: T) => boolean,
  ): Promise<Page<T>> {
    if (limit < 1) return { items: [] }
    const before = memberOf(after)
    const members = await store.members(index, { limit: limit + 1, ...(before === undefined ? {} : { before }) })
    const shown = members.slice(0, limit)
    const texts = await store.read(shown.map(recordKeyOf))
    const items = texts.flatMap((text, at) => {
      const record = text === undefined ? undefined : parsed<T>(text)
      // Saved again with another time, a record is named twice: the older name counts no more.
      return record !== undefined && memberFor(record) === shown[at] && wanted(record) ? [record] : []
    })
    const last = shown.at(-1)
    return members.length > limit && last !== undefined ? { items, next: cursorOf(last) } : { items }
  }

  /** Drops the records of an index that lie before `before`, with all that names them. */
  async function pruneIndex<T>(
    index: string,
    before: string,
    memberFor: (record: T) => string,
    indices: (record: T) => Named[],
  ): Promise<void> {
    for (;;) {
      const members = await store.oldest(index, { before, limit: PRUNED_AT_ONCE })
      if (members.length === 0) return
      const texts = await store.read(members.map(recordKeyOf))
      const remove: string[] = []
      const unindex: Named[] = members.map((old) => ({ name: index, member: old }))
      for (const [at, text] of texts.entries()) {
        const record = text === undefined ? undefined : parsed<T>(text)
        const old = members[at]
        if (record === undefined || old === undefined || memberFor(record) !== old) continue
        remove.push(recordKeyOf(old))
        unindex.push(...indices(record))
      }
      await store.write({ remove, unindex })
    }
  }

  return {
    async saveDelivery(delivery) {
      const others = STATES.filter((state) => state !== delivery.state)
      await store.write({
        put: [{ key: deliveryKey(delivery), value: JSON.stringify(delivery) }],
        index: [...deliveryIndices(delivery, [undefined, delivery.state]), ...knownProjects(delivery)],
        unindex: deliveryIndices(delivery, others),
      })
    },
    delivery: (id) => one<DeliveryRecord>(deliveryKey({ id })),
    deliveries: ({ project, state, limit, after }) =>
      page(
        deliveryIndex(project, state),
        { limit, after },
        deliveryMember,
        // An index may name a record that has moved on since.
        (record) => (state === undefined || record.state === state) && (project === undefined || projectsOf(record).includes(project)),
      ),
    saveBody: (deliveryId, body, keepMs) => keep(key('body', deliveryId), body, keepMs),
    body: (deliveryId) => one<string>(key('body', deliveryId)),

    async post(mergeRequest, entry) {
      await store.append(mergeRequestKey('mailbox', mergeRequest), {
        value: JSON.stringify(entry),
        mark: mergeRequestKey('posted', mergeRequest, entry.deliveryId),
        keepMarkMs: DAY_MS,
      })
    },
    async mailbox(mergeRequest) {
      const entries = await store.entries(mergeRequestKey('mailbox', mergeRequest))
      return entries.map(({ seq, value }) => ({ seq, ...parsed<Omit<MailboxEntry, 'seq'>>(value) }))
    },
    removeMail: (mergeRequest, seq) => store.trim(mergeRequestKey('mailbox', mergeRequest), seq),

    memory: (mergeRequest) => one(mergeRequestKey('memory', mergeRequest)),
    saveMemory: (mergeRequest, memory) => keep(mergeRequestKey('memory', mergeRequest), memory),

    async addPush({ service, project, branch }, push, deliveryId) {
      const list = key('pushes', service, project, branch)
      const mark = key('pushed', service, project, branch, deliveryId)
      const seq = await store.append(list, { value: JSON.stringify(push), mark, keepMarkMs: DAY_MS })
      if (seq !== undefined && seq > KEPT_PUSHES) await store.trim(list, seq - KEPT_PUSHES)
    },
    async pushes({ service, project, branch }) {
      const entries = await store.entries(key('pushes', service, project, branch))
      return entries.slice(-KEPT_PUSHES).map(({ value }) => parsed<Push>(value))
    },

    async saveDecision(decision) {
      await store.write({ put: [{ key: decisionKey(decision), value: JSON.stringify(decision) }], index: decisionIndices(decision) })
    },
    decision: (id) => one<DecisionRecord>(decisionKey({ id })),
    decisions: ({ mergeRequest, limit, after }) => page(decisionIndex(mergeRequest), { limit, after }, decisionMember, () => true),

    saveRuleFile: (file) => keep(key('rule file', file.service, file.project, file.path), file),
    ruleFile: ({ service, project, path }) => one(key('rule file', service, project, path)),

    projectMark: (service, project, mark) => one<string>(key('mark', service, project, mark)),
    markProject: (service, project, mark, value) => keep(key('mark', service, project, mark), value),

    async knownProjects(service) {
      const index = key('projects', service)
      const known: number[] = []
      for (let before: string | undefined; ; ) {
        const members = await store.members(index, { limit: MEMBERS_AT_ONCE, ...(before === undefined ? {} : { before }) })
        for (const project of members.map(Number)) {
          const [newest] = await store.members(deliveryIndex(project, 'read'), { limit: 1 })
          if (newest !== undefined) known.push(project)
        }
        before = members.at(-1)
        if (members.length < MEMBERS_AT_ONCE) return known.sort((a, b) => a - b)
      }
    },
    forgetProject: (service, project) => store.write({ unindex: [{ name: key('projects', service), member: String(project) }] }),
    saveSweep: (sweep) => keep(key('sweep', sweep.id), sweep, DAY_MS),
    sweep: (id) => one(key('sweep', id)),

    async prune(now) {
      const before = memberAt(new Date(now.getTime() - KEPT_DAYS * DAY_MS))
      await pruneIndex(deliveryIndex(), before, deliveryMember, (record) => deliveryIndices(record, [undefined, ...STATES]))
      await pruneIndex(decisionIndex(), before, decisionMember, decisionIndices)
      await store.dropExpired(now)
    },
  }
}

function deliveryIndex(project?: number, state?: DeliveryRecord['state']): string {
  return key('deliveries', ...(project === undefined ? [] : [project]), ...(state === undefined ? [] : [state]))
}

function deliveryIndices(record: DeliveryRecord, states: readonly (DeliveryRecord['state'] | undefined)[]): Named[] {
  const names = [undefined, ...projectsOf(record)].flatMap((project) => states.map((state) => deliveryIndex(project, state)))
  return names.map((name) => ({ name, member: deliveryMember(record) }))
}

function projectsOf(record: DeliveryRecord): number[] {
  const named = [record.event?.project, ...record.mergeRequests.map(({ project }) => project)]
  return [...new Set(named)].filter((project) => project !== undefined)
}

/** Named by whoever has woken merge requests of them: what was refused makes no project known. */
function knownProjects({ service, mergeRequests }: DeliveryRecord): Named[] {
  const projects = new Set(mergeRequests.map(({ project }) => project))
  return [...projects].map((project) => ({ name: key('projects', service), member: String(project) }))
}

function decisionIndex(mergeRequest?: MergeRequestRef): string {
  return mergeRequest === undefined ? key('decisions') : mergeRequestKey('decisions', mergeRequest)
}

function decisionIndices(record: DecisionRecord): Named[] {
  return [decisionIndex(), decisionIndex(record.mergeRequest)].map((name) => ({ name, member: decisionMember(record) }))
}

const deliveryKey = ({ id }: { id: string }) => key('delivery', id)
const decisionKey = ({ id }: { id: string }) => key('decision', id)
const deliveryMember = (record: DeliveryRecord) => member(record.receivedAt, deliveryKey(record))
const decisionMember = (record: DecisionRecord) => member(record.at, decisionKey(record))

/** Only what this very layer wrote is read back. */
function parsed<T>(text: string): T {
  return JSON.parse(text) as T
}

/** The same store, whose errors are all JournalUnavailable. */
function reaching(store: JournalStore): JournalStore {
  const guarded =
    <Args extends unknown[], R>(ask: (...args: Args) => Promise<R>) =>
    async (...args: Args): Promise<R> => {
      try {
        return await ask(...args)
      } catch (thrown) {
        throw new JournalUnavailable(`The journal cannot be reached: ${thrown instanceof Error ? thrown.message : String(thrown)}`, {
          cause: thrown,
        })
      }
    }
  return {
    read: guarded(store.read),
    write: guarded(store.write),
    members: guarded(store.members),
    oldest: guarded(store.oldest),
    append: guarded(store.append),
    entries: guarded(store.entries),
    trim: guarded(store.trim),
    dropExpired: guarded(store.dropExpired),
  }
}
