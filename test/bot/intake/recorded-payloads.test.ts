// Every payload of the corpus, and hostile bodies, through receive and intake: accepted, recorded, never a failed job.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { createIntake } from '../../../src/bot/intake/intake.ts'
import type { BotQueues } from '../../../src/bot/queues.ts'
import { createClient } from '../../../src/client/create-client.ts'
import { eventually } from '../../eventually.ts'
import { closeServersAtTheEnd, idOf, type Receiver, serveHooks, testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
closeServersAtTheEnd()

const folder = new URL('../../../../shared/payloads/', import.meta.url)
const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .sort()
  : []

const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const today = files.filter(
  (name) => /^(atlantis|gitlab-docs-18)/.test(name) && /"object_kind": ?"merge_request"/.test(textOf(name)),
)

let queues: BotQueues
let receiver: Receiver
const failures: string[] = []

beforeAll(async () => {
  queues = testQueues(stores)
  receiver = await serveHooks({ queues })
  const client = createClient({
    baseUrl: 'http://code.example',
    token: 'token',
    // A hosting service that knows none of the corpus' projects.
    fetch: async () =>
      new Response('{"message":"404 Not found"}', { status: 404, headers: { 'content-type': 'application/json' } }),
  })
  const intake = createIntake(testContext({ client, journal: stores.journal, queues }))
  const worker = stores.queue.work(queues.deliveries.name, intake, {
    concurrency: 10,
    attempts: 1,
    onError: (error) => failures.push(String(error.stack)),
  })
  return () => worker.stop(5_000)
})

/** Sends a body and waits until intake is through with it. */
async function state(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<string | undefined> {
  const id = await idOf(await receiver.post(body, headers))
  // What copies another of the corpus, or is the same, leaves a job that wakes what that one woke.
  await eventually(async () => expect((await queues.deliveries.get(id))?.state).toBe('completed'))
  expect(failures.splice(0)).toEqual([])
  expect(await queues.deliveries.counts()).toMatchObject({ failed: 0 })
  const left = await queues.deliveries.list(['active', 'waiting', 'prioritized', 'delayed'], 0, 500)
  expect(left.filter(({ data }) => data.is !== 'again')).toEqual([])
  return (await stores.journal.deliveries.find(id))?.state
}

describe.skipIf(files.length === 0)('the corpus (skipped where ../shared/payloads is absent)', () => {
  test('is there', () => {
    expect(files.length).toBeGreaterThan(100)
  })

  test.each(files)('%s is taken, recorded and done', async (name) => {
    const found = await state(textOf(name))
    expect(['read', 'no_merge_request', 'unreadable']).toContain(found)
  })

  test.each(today)('%s, a merge request event of today, is read', async (name) => {
    expect(await state(textOf(name))).toBe('read')
  })

  test('has merge request events of today', () => {
    expect(today.length).toBeGreaterThan(3)
  })
})

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const event = (fields: object) => JSON.stringify({ object_kind: 'merge_request', project: { id: 7 }, ...fields })

describe('a hostile body', () => {
  test.each<[string, string, string]>([
    ['not JSON', '<html>', 'unreadable'],
    ['an empty body', '', 'unreadable'],
    ['of an unknown kind', '{"object_kind":"moonrise"}', 'no_merge_request'],
    ['of a kind named like a property', '{"object_kind":"__proto__"}', 'no_merge_request'],
    [
      'with nulls for objects',
      event({ project: null, user: null, object_attributes: null, changes: null }),
      'no_merge_request',
    ],
    [
      'with lists for objects',
      event({ project: [], user: [], object_attributes: [], changes: [] }),
      'no_merge_request',
    ],
    ['with texts for numbers', event({ object_attributes: { iid: '1', target_project_id: '7' } }), 'no_merge_request'],
    ['with a huge iid', event({ object_attributes: { iid: 1e300 } }), 'no_merge_request'],
    ['with the largest iid', event({ object_attributes: { iid: Number.MAX_SAFE_INTEGER } }), 'read'],
    ['100,000 levels deep', nested(100_000), 'unreadable'],
    ['100,000 levels deep inside an event', `{"object_kind":"push","changes":${nested(100_000)}}`, 'unreadable'],
    ['50 levels deep inside an event', `{"object_kind":"push","changes":${nested(50)}}`, 'no_merge_request'],
    ['with half a million values', `{"object_kind":"push","a":[${'0,'.repeat(500_000)}0]}`, 'unreadable'],
    ['with raw NUL characters', '{"object_kind":"a\0b"}', 'unreadable'],
    [
      'with escaped NUL characters',
      event({ object_attributes: { iid: 1, action: 'a\0b' }, user: { username: '\0' } }),
      'read',
    ],
    [
      'with half characters',
      event({ object_attributes: { iid: 2, action: '\ud800' }, changes: { '\udfff': 1 } }),
      'read',
    ],
    [
      'with a character cut in half by us',
      event({ object_attributes: { iid: 3, action: `${'x'.repeat(59)}😀` } }),
      'read',
    ],
    [
      'with 10,000 changed fields',
      event({ object_attributes: { iid: 4 }, changes: Object.fromEntries(Array(10_000).entries()) }),
      'read',
    ],
  ])('%s is taken and recorded', async (_name, body, expected) => {
    expect(await state(body)).toBe(expected)
  })

  test('of bytes that are no text is unreadable', async () => {
    expect(await state(new Uint8Array([0xff, 0xfe, 0x00, 0x80]))).toBe('unreadable')
  })

  test('with a wrong content type, or in a packing, is read all the same', async () => {
    expect(await state(event({ object_attributes: { iid: 5 } }), { 'content-type': 'image/png' })).toBe('read')
    expect(
      await state(new Uint8Array(gzipSync(event({ object_attributes: { iid: 6 } }))), { 'content-encoding': 'gzip' }),
    ).toBe('read')
  })

  test('leaves a record that says why, without quoting the body', async () => {
    const id = await idOf(await receiver.post('{"password":"hunter2"'))
    await queues.deliveries.settled()
    const record = await stores.journal.deliveries.find(id)
    expect(record?.reason).toMatch(/not JSON/)
    expect(JSON.stringify(record)).not.toContain('hunter2')
  })
})
