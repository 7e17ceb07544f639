// The journal beside an embedded queue.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { JournalMisconfigured, JournalTooNew, JournalUnavailable } from '../../src/journal/errors.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { openJournal } from '../../src/journal/open-journal.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues } from '../../src/queue/types.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { eventually } from '../eventually.ts'
import { prepareQueue } from '../prepared-database.ts'
import { journalSuite } from '../suites/journal/journal.suite.ts'

const directory = ownFolder().folder
let queue: Queues
let journal: Journal

const started = join(directory, 'one')

/** Adds jobs and mail, says each that was acknowledged, and hangs in one job until it is killed. */
const PROGRAM = `
import { writeSync } from 'node:fs'
import { openQueues } from ${JSON.stringify(new URL('../../src/queue/open-queue.ts', import.meta.url).href)}
import { openJournal } from ${JSON.stringify(new URL('../../src/journal/open-journal.ts', import.meta.url).href)}
const queue = await openQueues({ url: ${JSON.stringify(`embedded:${started}`)} })
const journal = await openJournal(queue.store)
queue.work('held', () => new Promise(() => { writeSync(1, 'running\\n') }), { concurrency: 1, onError: () => undefined })
await queue.queue('held').add({ id: 'held-job', data: 1, deduplicationKey: 'mr' })
for (let n = 0; ; n += 1) {
  await queue.queue('kept').add({ id: 'job-' + n, data: n })
  await journal.events.add({ project: 1, iid: 1 }, { deliveryId: 'mail-' + n, event: { kind: 'push', actor: {}, at: new Date().toISOString() } })
  writeSync(1, n + '\\n')
}`

/** Runs the program until it has done so much, and kills it hard. */
async function killed(): Promise<number> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (bytes) => {
    said += String(bytes)
  })
  const gone = new Promise((resolve) => child.once('close', resolve))
  try {
    await eventually(() => expect(said).toMatch(/running\n.*\n50\n/s), 50)
  } finally {
    child.kill('SIGKILL')
  }
  await gone
  return Math.max(...said.split('\n').slice(0, -1).map(Number).filter(Number.isFinite))
}

let acknowledged = 0

beforeAll(async () => {
  await prepareQueue(started)
  acknowledged = await killed()
  queue = await openQueues({ url: `embedded:${started}` })
  journal = await openJournal(queue.store)
})

afterAll(() => queue.close())

describe('embedded', () => {
  test('jobs and journal survive kill -9, and what ran runs again at once', async () => {
    const mail = await journal.events.pending({ project: 1, iid: 1 })
    const kept = new Set(mail.map(({ deliveryId }) => deliveryId))
    const lane = queue.queue<number>('kept')
    for (let n = 0; n <= acknowledged; n += 1) {
      expect(kept).toContain(`mail-${n}`)
      expect(await lane.add({ id: `job-${n}`, data: n })).toEqual({ id: `job-${n}`, added: false })
    }
    const ran: string[] = []
    const handler = async ({ id }: { id: string }) => {
      ran.push(id)
      return { outcome: 'done' as const }
    }
    const worker = queue.work('held', handler, { concurrency: 1, onError: () => undefined })
    // Far sooner than the lock of the dead process would run out.
    await eventually(() => expect(ran).toEqual(['held-job']))
    await worker.stop(1_000)
  })

  journalSuite(
    () => journal,
    (retention) => openJournal(queue.store, retention),
  )

  test('opening it again changes nothing', async () => {
    await journal.marks.write(1, 'mark', 'kept')
    const again = await openJournal(queue.store)
    expect(await again.marks.read(1, 'mark')).toBe('kept')
  })

  test('a store that refuses is a typed error with its cause', async () => {
    const gone = () => Promise.reject(new Error('gone'))
    const refusing = { query: gone, connect: gone, end: () => Promise.resolve() }
    const tables = { schema: 'bellhop', partitioned: false }
    const opening = openJournal({ kind: 'postgres', pool: refusing, tables })
    await expect(opening).rejects.toThrow(JournalUnavailable)
    await expect(opening).rejects.toMatchObject({ cause: { message: 'gone' } })
  })
})

test('tables of another layout are refused, in a line that says what to do, and are left as they are', async () => {
  const own = await openQueues({ url: await prepareQueue(join(directory, 'older')) })
  onTestFinished(() => own.close())
  if (own.store.kind === 'redis') throw new Error('it is embedded')
  const { pool } = own.store
  await pool.query('DROP SCHEMA bellhop CASCADE; CREATE SCHEMA bellhop; CREATE TABLE bellhop.record (key text)')
  await expect(openJournal(own.store)).rejects.toThrow(JournalMisconfigured)
  await expect(openJournal(own.store)).rejects.toThrow(
    /^The tables in bellhop are not those .*: name one \(.*_URL\)\.$/,
  )
  const { rows } = await pool.query(`SELECT relname FROM pg_class WHERE relnamespace = 'bellhop'::regnamespace`)
  expect(rows).toEqual([{ relname: 'record' }])
})

test('tables of another version of Bellhop are refused, in a line that says what to do', async () => {
  const own = await openQueues({ url: await prepareQueue(join(directory, 'newer')) })
  onTestFinished(() => own.close())
  await openJournal(own.store)
  if (own.store.kind !== 'redis') await own.store.pool.query('UPDATE bellhop.journal SET version = 1000')
  await expect(openJournal(own.store)).rejects.toThrow(JournalTooNew)
  await expect(openJournal(own.store)).rejects.toThrow(/another version of Bellhop.*start that version again/)
})
