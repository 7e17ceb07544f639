// Fills a journal with deliveries and the decisions that they led to, through the journal's own methods, many writes at a time.
import { createJournal } from '../../src/journal/journal.ts'
import { postgresStore } from '../../src/journal/stores/postgres-store.ts'
import type { JournalStore, Write } from '../../src/journal/stores/store.ts'
import type { DecisionRecord, DeliveryRecord } from '../../src/journal/types.ts'
import type { StoreConnection } from '../../src/queue/types.ts'
import type { Call, RuleTrace } from '../../src/rules/types.ts'

const writesAtOnce = 250
const rules = 12

export interface Filling {
  count: number
  projects: number
  /** Milliseconds since 1970 of the first delivery. */
  started: number
  /** From one to the next. */
  everyMs: number
}

/** One in so many is of the rare kind, state, rule and outcome. */
const rareEach = 10_000

/** Each delivery has a decision. */
export async function fill(
  connection: StoreConnection,
  filling: Filling,
  say: (sentence: string) => void,
): Promise<void> {
  if (connection.kind !== 'postgres') throw new Error('a journal in tables is filled')
  const { store, flush } = gathering(postgresStore(connection.pool, connection.tables))
  const journal = createJournal(store)
  for (let n = 0; n < filling.count; n += 1) {
    const delivery = deliveryOf(n, filling)
    await journal.saveDelivery(delivery)
    await journal.saveDecision(decisionOf(n, delivery))
    if (n % 50_000 === 0) say(`${n} deliveries`)
  }
  await flush()
  await connection.pool.query('ANALYZE')
}

/** Writes of many calls become one; what is not written yet is read from here. */
function gathering(store: JournalStore): { store: JournalStore; flush: () => Promise<void> } {
  let waiting: Write[] = []
  let values = new Map<string, string>()
  async function flush(): Promise<void> {
    const all = waiting
    waiting = []
    values = new Map()
    const of = <K extends keyof Write>(key: K) =>
      all.flatMap((write) => (write[key] ?? []) as unknown[]) as NonNullable<Write[K]>
    // No delivery is written twice within one batch, and the counts of a tally are of no interest here.
    await store.write({ put: of('put'), index: unique(of('index')) })
  }
  return {
    flush,
    store: {
      ...store,
      read: async (keys) => keys.map((key) => values.get(key)),
      async write(write) {
        waiting.push(write)
        for (const { key, value } of write.put ?? []) values.set(key, value)
        if (waiting.length >= writesAtOnce && write.put?.some(({ key }) => key.startsWith('["decision"'))) await flush()
      },
    },
  }
}

function unique(named: NonNullable<Write['index']>): NonNullable<Write['index']> {
  return [...new Map(named.map((each) => [`${each.name} ${each.member}`, each])).values()]
}

export function deliveryOf(n: number, { projects, started, everyMs }: Filling): DeliveryRecord {
  const isRare = n % rareEach === rareEach / 2
  const [project, iid] = [1 + (n % projects), 1 + (n % 5_000)]
  const receivedAt = new Date(started + n * everyMs).toISOString()
  const kind = isRare ? 'merge_request.approval' : n % 3 === 0 ? 'pipeline.success' : 'merge_request.update'
  return {
    ...{ id: `bench-${n}`, receivedAt, header: 'Merge Request Hook', bytes: 4_000 },
    state: isRare ? 'refused' : 'read',
    event: { kind, project, iid, actor: { id: 7, username: 'alice' }, at: receivedAt },
    mergeRequests: [{ project, iid }],
    replays: [],
  }
}

export function decisionOf(
  n: number,
  { id, receivedAt, mergeRequests: [mergeRequest] }: DeliveryRecord,
): DecisionRecord {
  if (mergeRequest === undefined) throw new Error('each is about one')
  const isRare = n % rareEach === rareEach / 2
  const call: Call = {
    endpoint: 'mergeRequests.update',
    params: { add_labels: 'seen' },
    action: 'label',
    rules: ['.bellhop.yml#rule 1'],
  }
  const result = isRare ? 'refused' : 'done'
  return {
    ...{
      id: `decision-${n}`,
      mergeRequest,
      at: receivedAt,
      evaluation: `evaluation-${n}`,
      deliveries: [id],
      tookMs: 40,
    },
    rules: Array.from({ length: rules }, (_, at) => traceOf(at === 0 && isRare ? 'rare rule' : `rule ${at}`, at < 2)),
    calls: n % 4 === 0 || isRare ? [call] : [],
    responses: n % 4 === 0 || isRare ? [{ call, status: isRare ? 403 : 200, result, at: receivedAt, tookMs: 12 }] : [],
    ...{ head: 'a'.repeat(40), files: [{ path: '.bellhop.yml', blob: 'b'.repeat(40) }] },
  }
}

function traceOf(name: string, holds: boolean): RuleTrace {
  const verdict = holds ? 'true' : 'false'
  const leaf = { verdict, expected: 'any of "dependencies", none of "hold"', actual: '"bug", "backend"' } as const
  return {
    ...{
      key: `.bellhop.yml#${name}`,
      name,
      file: '.bellhop.yml',
      line: 4,
      verdict,
      became: false,
      fingerprint: 'f'.repeat(16),
      actions: [],
    },
    conditions: {
      ...leaf,
      condition: 'all',
      children: ['labels', 'author', 'pipeline'].map((condition) => ({ ...leaf, condition })),
    },
  }
}
