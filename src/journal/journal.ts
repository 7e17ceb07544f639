// What Bellhop remembers, said in the journal's own words over the few things that a store can do.
import type { MergeRequestRef } from '../rules/types.ts'
import { JournalUnavailable } from './errors.ts'
import { cursorOf, key, member, memberAt, memberOf, mergeRequestKey, recordKeyOf } from './keys.ts'
import type { JournalStore, Named } from './store.ts'
import type { DecisionRecord, DeliveryRecord, Journal, MailboxEntry, Page } from './types.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const KEPT_DAYS = 30
const KEEPING: Keeping = { over: 30 * DAY_MS, ruleFiles: 90 * DAY_MS, pushes: 90 * DAY_MS, marks: 400 * DAY_MS }
/** Beyond that many, what was asked for today is noted anew. */
const MOST_NOTED = 10_000
/** As long as the same body stands for the same delivery (DESIGN §6). */
const SAME_EVENT_MS = 10 * 60 * 1_000
/** As long as a delivery whose job failed can be put back in line: what it brought before it failed counts once all the same. */
const BROUGHT_MS = (KEPT_DAYS + 1) * DAY_MS
const KEPT_PUSHES = 100
const PRUNED_AT_ONCE = 200
const MEMBERS_AT_ONCE = 1_000
const STATES: readonly DeliveryRecord['state'][] = ['received', 'read', 'uninteresting', 'unreadable', 'refused']

/** What is not asked for during so many milliseconds is forgotten. Mail, and what is remembered of open merge requests, never is. */
export interface Keeping {
  /** What is remembered of a merge request that is over. */
  over: number
  ruleFiles: number
  pushes: number
  marks: number
}

type Unreplayed = Omit<DeliveryRecord, 'replays'>
type Push = Awaited<ReturnType<Journal['pushes']>>[number]

/** The one layer that knows what is kept where; the stores know only texts. */
export function journalOver(given: JournalStore, keeping: Partial<Keeping> = {}): Journal {
  const store = reaching(given)
  const kept = { ...KEEPING, ...keeping }
  const askedFor = new Map<string, number>()

  /** What is asked for is kept on; said to the store once a day. */
  async function keepOn(what: 'records' | 'lists', name: string, keepMs: number): Promise<void> {
    const now = Date.now()
    if (now - (askedFor.get(name) ?? Number.NEGATIVE_INFINITY) < DAY_MS) return
    if (askedFor.size >= MOST_NOTED) askedFor.clear()
    await store.extend({ [what]: [name] }, keepMs)
    askedFor.set(name, now)
  }

  async function keptOn<T>(recordKey: string, keepMs: number): Promise<T | undefined> {
    const found = await one<T>(recordKey)
    if (found !== undefined) await keepOn('records', recordKey, keepMs)
    return found
  }

  /** One after the other, whoever else does the same at once. */
  async function change<T>(recordKey: string, to: (before: T | undefined) => T | undefined, keepMs: number): Promise<void> {
    for (;;) {
      const [from] = await store.read([recordKey])
      const value = to(from === undefined ? undefined : parsed<T>(from))
      if (value === undefined || (await store.swap(recordKey, { from, to: JSON.stringify(value), keepMs }))) return
    }
  }

  /** The deliveries of these keys, each with who replayed it. */
  async function readDeliveries(recordKeys: readonly string[]): Promise<(DeliveryRecord | undefined)[]> {
    const texts = await store.read([...recordKeys, ...recordKeys.map(replaysOf)])
    return recordKeys.map((_, at) => {
      const [text, replays] = [texts[at], texts[recordKeys.length + at]]
      return text === undefined ? undefined : { ...parsed<DeliveryRecord>(text), replays: replays === undefined ? [] : parsed(replays) }
    })
  }

  async function readAll<T>(recordKeys: readonly string[]): Promise<(T | undefined)[]> {
    const texts = await store.read([...recordKeys])
    return texts.map((text) => (text === undefined ? undefined : parsed<T>(text)))
  }

  async function one<T>(recordKey: string): Promise<T | undefined> {
    const [text] = await store.read([recordKey])
    return text === undefined ? undefined : parsed<T>(text)
  }

  const keep = (recordKey: string, value: unknown, keepMs?: number) =>
    store.write({ put: [{ key: recordKey, value: JSON.stringify(value), ...(keepMs === undefined ? {} : { keepMs }) }] })

  async function page<T>(
    index: string,
    { limit, after }: { limit: number; after: string | undefined },
    { read, memberFor, wanted }: Listed<T>,
  ): Promise<Page<T>> {
    if (limit < 1) return { items: [] }
    const before = memberOf(after)
    const members = await store.members(index, { limit: limit + 1, ...(before === undefined ? {} : { before }) })
    const shown = members.slice(0, limit)
    const records = await read(shown.map(recordKeyOf))
    const items = records.flatMap((record, at) => {
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
    besides: (recordKey: string) => string[],
  ): Promise<void> {
    for (;;) {
      const members = await store.oldest(index, { before, limit: PRUNED_AT_ONCE })
      if (members.length === 0) return
      const records = await readAll<T>(members.map(recordKeyOf))
      const remove: string[] = []
      const unindex: Named[] = members.map((old) => ({ name: index, member: old }))
      for (const [at, record] of records.entries()) {
        const old = members[at]
        if (record === undefined || old === undefined || memberFor(record) !== old) continue
        remove.push(recordKeyOf(old), ...besides(recordKeyOf(old)))
        unindex.push(...indices(record))
      }
      await store.write({ remove, unindex })
    }
  }

  return {
    async saveDelivery({ replays: _replays, ...delivery }) {
      const others = STATES.filter((state) => state !== delivery.state)
      await store.write({
        put: [{ key: deliveryKey(delivery), value: JSON.stringify(delivery) }],
        index: [...deliveryIndices(delivery, [undefined, delivery.state]), ...knownProjects(delivery)],
        unindex: deliveryIndices(delivery, others),
      })
    },
    addReplay: (id, replay) =>
      change<DeliveryRecord['replays']>(replaysOf(deliveryKey({ id })), (before = []) => [...before, replay], (KEPT_DAYS + 1) * DAY_MS),
    delivery: async (id) => (await readDeliveries([deliveryKey({ id })]))[0],
    deliveries: ({ project, state, limit, after }) =>
      page(
        deliveryIndex(project, state),
        { limit, after },
        {
          read: readDeliveries,
          memberFor: deliveryMember,
          // An index may name a record that has moved on since.
          wanted: (record) =>
            (state === undefined || record.state === state) && (project === undefined || projectsOf(record).includes(project)),
        },
      ),
    saveBody: (deliveryId, body, keepMs) => keep(key('body', deliveryId), body, keepMs),
    body: (deliveryId) => one<string>(key('body', deliveryId)),

    async post(mergeRequest, entry) {
      await store.append(mergeRequestKey('mailbox', mergeRequest), {
        value: JSON.stringify(entry),
        mark: mergeRequestKey('posted', mergeRequest, entry.deliveryId),
        keepMarkMs: BROUGHT_MS,
      })
    },
    async firstWith(mergeRequest, content, deliveryId) {
      const claim = mergeRequestKey('event', mergeRequest, content)
      const known = mergeRequestKey('same event', mergeRequest, content, deliveryId)
      for (;;) {
        const [before, present] = await store.read([known, claim])
        if (before !== undefined) return before
        if (present === undefined) {
          if (await store.swap(claim, { from: undefined, to: deliveryId, keepMs: SAME_EVENT_MS })) return deliveryId
        } else {
          // Read once more when the claim is over, it would count as the first.
          if (present !== deliveryId) await store.write({ put: [{ key: known, value: present, keepMs: BROUGHT_MS }] })
          return present
        }
      }
    },
    async mailbox(mergeRequest) {
      const entries = await store.entries(mergeRequestKey('mailbox', mergeRequest))
      return entries.map(({ seq, value }) => ({ seq, ...parsed<Omit<MailboxEntry, 'seq'>>(value) }))
    },
    // Its numbers outlive every evaluation that may still hold one.
    removeMail: (mergeRequest, seq) => store.trim(mergeRequestKey('mailbox', mergeRequest), seq, kept.over),

    memory: (mergeRequest) => one(mergeRequestKey('memory', mergeRequest)),
    saveMemory: (mergeRequest, memory, over = false) => keep(mergeRequestKey('memory', mergeRequest), memory, over ? kept.over : undefined),

    async addPush({ service, project, branch }, push, deliveryId) {
      const list = key('pushes', service, project, branch)
      const mark = key('pushed', service, project, branch, deliveryId)
      const seq = await store.append(list, { value: JSON.stringify(push), mark, keepMarkMs: BROUGHT_MS, keepMs: kept.pushes })
      if (seq !== undefined && seq > KEPT_PUSHES) await store.trim(list, seq - KEPT_PUSHES)
    },
    async pushes({ service, project, branch }) {
      const list = key('pushes', service, project, branch)
      const entries = await store.entries(list)
      if (entries.length > 0) await keepOn('lists', list, kept.pushes)
      return entries.slice(-KEPT_PUSHES).map(({ value }) => parsed<Push>(value))
    },

    async saveDecision(decision) {
      await store.write({ put: [{ key: decisionKey(decision), value: JSON.stringify(decision) }], index: decisionIndices(decision) })
    },
    decision: (id) => one<DecisionRecord>(decisionKey({ id })),
    decisions: ({ mergeRequest, limit, after }) =>
      page(decisionIndex(mergeRequest), { limit, after }, { read: readAll<DecisionRecord>, memberFor: decisionMember, wanted: () => true }),

    saveRuleFile: (file) => keep(key('rule file', file.service, file.project, file.path), file, kept.ruleFiles),
    ruleFile: ({ service, project, path }) => keptOn(key('rule file', service, project, path), kept.ruleFiles),

    projectMark: (service, project, mark) => keptOn<string>(key('mark', service, project, mark), kept.marks),
    markProject: (service, project, mark, value) => keep(key('mark', service, project, mark), value, kept.marks),
    changeMark: (service, project, mark, to) => change<string>(key('mark', service, project, mark), to, kept.marks),

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
      await pruneIndex(
        deliveryIndex(),
        before,
        deliveryMember,
        (record) => deliveryIndices(record, [undefined, ...STATES]),
        (recordKey) => [replaysOf(recordKey)],
      )
      await pruneIndex(decisionIndex(), before, decisionMember, decisionIndices, () => [])
      await store.dropExpired(now)
    },
  }
}

/** How the records of an index are read, named in it, and chosen. */
interface Listed<T> {
  read: (recordKeys: readonly string[]) => Promise<(T | undefined)[]>
  memberFor: (record: T) => string
  wanted: (record: T) => boolean
}

function deliveryIndex(project?: number, state?: DeliveryRecord['state']): string {
  return key('deliveries', ...(project === undefined ? [] : [project]), ...(state === undefined ? [] : [state]))
}

function deliveryIndices(record: Unreplayed, states: readonly (DeliveryRecord['state'] | undefined)[]): Named[] {
  const names = [undefined, ...projectsOf(record)].flatMap((project) => states.map((state) => deliveryIndex(project, state)))
  return names.map((name) => ({ name, member: deliveryMember(record) }))
}

function projectsOf(record: Unreplayed): number[] {
  const named = [record.event?.project, ...record.mergeRequests.map(({ project }) => project)]
  return [...new Set(named)].filter((project) => project !== undefined)
}

/** Named by whoever has woken merge requests of them: what was refused makes no project known. */
function knownProjects({ service, mergeRequests }: Unreplayed): Named[] {
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
/** Beside the delivery itself, so that whoever reads it and whoever replays it write different things. */
const replaysOf = (recordKey: string) => key('replays', recordKey)
const deliveryMember = (record: Unreplayed) => member(record.receivedAt, deliveryKey(record))
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
    swap: guarded(store.swap),
    extend: guarded(store.extend),
    dropExpired: guarded(store.dropExpired),
  }
}
