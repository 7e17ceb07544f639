// When a delivery body leaves the backend: with its job, or when the job gets other data.
import { randomUUID } from 'node:crypto'
import type { FailedJob, JobHandler, Queues } from '../../../src/queue/types.ts'
import { storedText } from '../../system/stored-text.ts'
import { queuesOf } from './test-queues.ts'

interface Data {
  n: number
  body: string
}

const job = (body: string) => ({ id: 'd', data: { n: 1, body }, priority: 7 })

export function queueBodiesSuite(open: () => Queues): void {
  const { fresh, test, worked } = queuesOf<Data>(open)

  describe('a delivery body', () => {
    test('is that of the first add, however the second differs', async ({ queue }) => {
      expect(await queue.add(job('first'))).toEqual({ id: 'd', added: true })
      expect(await queue.add(job('second'))).toEqual({ id: 'd', added: false })
      expect((await queue.get('d'))?.data).toEqual({ n: 1, body: 'first' })
    })

    test('is gone from the backend once its job is done and has left other data; the id is still known', async () => {
      const queue = fresh()
      const secret = randomUUID()
      await queue.add(job(`a variable: ${secret}`))
      expect(await storedText(open().store)).toContain(secret)
      const leaving: JobHandler<Data> = async ({ data }) => ({ outcome: 'done', newData: { ...data, body: '' } })
      await worked(queue, leaving)
      expect(await queue.get('d')).toMatchObject({ state: 'completed', data: { n: 1, body: '' } })
      expect(await storedText(open().store)).not.toContain(secret)
      expect((await queue.add(job(secret))).added).toBe(false)
    })

    test('stays with a failed job, also when that is retried, until its data is replaced', async ({ queue }) => {
      const secret = randomUUID()
      await queue.add(job(secret))
      const reported: FailedJob[] = []
      const seen: Data[] = []
      const failing: JobHandler<Data> = async ({ data }) => {
        seen.push(data)
        return { outcome: 'failed', reason: 'no' }
      }
      const fail = () => worked(queue, failing, undefined, { onFailed: (failed) => reported.push(failed) })
      await fail()
      await queue.retry('d')
      await fail()
      const whole = { n: 1, body: secret }
      expect(seen).toEqual([whole, whole])
      expect(reported.map(({ data }) => data)).toEqual([whole, whole])
      await queue.cleanFinished({ completed: 60_000, failed: -1_000 }, (data) => ({
        ...data,
        body: `${data.body.length} letters`,
      }))
      expect(await queue.get('d')).toMatchObject({ state: 'failed', data: { n: 1, body: '36 letters' } })
      expect(await storedText(open().store)).not.toContain(secret)
      await queue.retry('d')
      await fail()
      expect(seen.at(-1)).toEqual({ n: 1, body: '36 letters' })
    })

    test('is gone from the backend while its job is retried, and after it failed, once the handler has replaced it', async () => {
      const queue = fresh()
      const secret = randomUUID()
      await queue.add(job(secret))
      const seen: Data[] = []
      const stored: string[] = []
      const replacing: JobHandler<Data> = async ({ data, isFirst, replaceData }) => {
        seen.push(data)
        if (isFirst) await replaceData({ ...data, body: 'less' })
        stored.push(await storedText(open().store))
        if (isFirst) throw new Error('again')
        return { outcome: 'failed', reason: 'no' }
      }
      const reported: FailedJob[] = []
      await worked(queue, replacing, undefined, { onFailed: (failed) => reported.push(failed) })
      const less = { n: 1, body: 'less' }
      expect(seen).toEqual([{ n: 1, body: secret }, less])
      for (const text of [...stored, await storedText(open().store)]) expect(text).not.toContain(secret)
      expect(reported).toMatchObject([{ data: less }])
      expect(await queue.get('d')).toMatchObject({ state: 'failed', data: less, attempts: 2 })
    })

    test('is removed with its job', async ({ queue }) => {
      const secret = randomUUID()
      await queue.add(job(secret))
      await queue.remove('d')
      expect(await storedText(open().store)).not.toContain(secret)
    })
  })
}
