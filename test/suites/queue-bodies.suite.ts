// A body that is handed over in bytes, apart from the data of its job: to every reader it is a part of the data, and it goes when the data does.
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { FailedJob, JobHandler, Queue } from '../../src/queue/types.ts'
import { storedText } from '../system/stored-text.ts'
import { lanesOf, noting } from './queue-lanes.ts'

interface Data {
  n: number
  body: string
}

const sizes: [string, string][] = [
  ['a small one', ''],
  ['a large one', 'é'.repeat(50_000)],
]

/** As a delivery is added; the place in line is what fairLane gives. */
const job = (id: string, body: Buffer, n = 1) => ({ id, data: { n, body: '' }, body, priority: 7 })

export function queueBodiesSuite(open: () => Queue): void {
  const { fresh, worked } = lanesOf<Data>(open)
  /** It stands beside its job, and is not told of with it. */
  const isApart = (body: Buffer) => open().kind === 'redis' && body.length > 32 * 1024

  describe('a body apart from its data', () => {
    test.each([
      ['a JSON text', Buffer.from('{"title":"é😀 \\" \\u2028"}')],
      ['what a database would refuse', Buffer.from('a NUL: \0, and no JSON: {"')],
      ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xe2, 0x82])],
      ['nothing', Buffer.alloc(0)],
      ['megabytes, of letters of two to four bytes', Buffer.from('é😀€'.repeat(300_000))],
    ])('is read as the text that its bytes are: %s', async (_name, body) => {
      const lane = fresh()
      await lane.add(job('d', body))
      const wanted = { n: 1, body: body.toString('utf8') }
      const shown = isApart(body) ? { n: 1, body: '' } : wanted
      expect((await lane.get('d'))?.data).toEqual(shown)
      expect((await lane.list(['prioritized'], 0, 1)).map(({ data }) => data)).toEqual([shown])
      const ran: Data[] = []
      await worked(lane, noting(ran), () => lane.settled())
      expect(ran).toEqual([wanted])
    })

    test('is the same where the job has no priority', async () => {
      const lane = fresh()
      const { priority: _none, ...plain } = job('d', Buffer.from('a NUL: \0'))
      expect(await lane.add(plain)).toEqual({ id: 'd', added: true })
      expect((await lane.get('d'))?.data).toEqual({ n: 1, body: 'a NUL: \0' })
    })

    test('stays that of the first add, however the second differs', async () => {
      const lane = fresh()
      expect(await lane.add(job('d', Buffer.from('first')))).toEqual({ id: 'd', added: true })
      expect(await lane.add(job('d', Buffer.from('second'), 2))).toEqual({ id: 'd', added: false })
      expect((await lane.get('d'))?.data).toEqual({ n: 1, body: 'first' })
    })

    test.each([1_000, 30_000, 300_000])('counts in the backlog: one of %i bytes', async (bytes) => {
      const lane = fresh()
      // Such as hardly any store can pack.
      await lane.add(job('d', Buffer.from(randomBytes(bytes).toString('base64'))))
      expect((await lane.backlog()).bytes).toBeGreaterThan(bytes)
      expect((await lane.backlog()).bytes).toBeLessThan(bytes * 2)
    })

    test.each(sizes)('is gone from the store once the job leaves other data, which is what its id is known by: %s', async (_name, more) => {
      const lane = fresh()
      const secret = randomUUID()
      await lane.add(job('d', Buffer.from(`a variable: ${secret}${more}`)))
      expect(await storedText(open().store)).toContain(secret)
      const leaving: JobHandler<Data> = async ({ data }) => ({ outcome: 'done', leaves: { ...data, body: '' } })
      await worked(lane, leaving, () => lane.settled())
      expect(await lane.get('d')).toMatchObject({ state: 'completed', data: { n: 1, body: '' } })
      expect(await storedText(open().store)).not.toContain(secret)
      expect((await lane.add(job('d', Buffer.from(secret)))).added).toBe(false)
    })

    test.each(sizes)('stays with a job that fails, is told of and put back, until it is shed: %s', async (_name, more) => {
      const lane = fresh()
      const secret = randomUUID()
      await lane.add(job('d', Buffer.from(`${secret}${more}`)))
      const told: FailedJob[] = []
      const seen: Data[] = []
      const failing: JobHandler<Data> = async ({ data }) => {
        seen.push(data)
        return { outcome: 'failed', reason: 'no' }
      }
      const fail = () => worked(lane, failing, () => lane.settled(), { onFailed: (failed) => told.push(failed) })
      await fail()
      await lane.retry('d')
      await fail()
      const whole = { n: 1, body: `${secret}${more}` }
      expect(seen).toEqual([whole, whole])
      // What stands beside its job is not read again only to tell of it.
      const toldOf = isApart(Buffer.from(whole.body)) ? { n: 1, body: '' } : whole
      expect(told.map(({ data }) => data)).toEqual([toldOf, toldOf])
      await lane.shed({ completed: 60_000, failed: -1_000 }, (data) => ({ ...data, body: `${data.body.length} letters` }))
      expect(await lane.get('d')).toMatchObject({ state: 'failed', data: { n: 1, body: `${36 + more.length} letters` } })
      expect(await storedText(open().store)).not.toContain(secret)
      await lane.retry('d')
      await fail()
      expect(seen.at(-1)).toEqual({ n: 1, body: `${36 + more.length} letters` })
    })

    test.each(sizes)('goes with its job: %s', async (_name, more) => {
      const lane = fresh()
      const secret = randomUUID()
      await lane.add(job('d', Buffer.from(`${secret}${more}`)))
      await lane.remove('d')
      expect(await storedText(open().store)).not.toContain(secret)
    })
  })
}
