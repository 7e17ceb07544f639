// Evaluate on a real journal, in each store: what is kept between two calls, what is done after an answer was lost, and what happens to the mail.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openJournal } from '../../../src/journal/open-journal.ts'
import type { Journal } from '../../../src/journal/types.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { Queues } from '../../../src/queue/types.ts'
import { playService, service } from '../../client/world.ts'
import { prepareQueue } from '../../prepared-database.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../redis-server.ts'
import { mergeRequest } from '../../rules/world.ts'
import { type EvaluateWorld, makeEvaluation, mr, reads } from './evaluate-world.ts'

playService()
const booked = (seconds: number) => ({ time_stats: { time_estimate: 0, total_time_spent: seconds } })

describe.each(['embedded', 'Redis'] as const)('on %s', (kind) => {
  describe.skipIf(kind === 'Redis' && !hasRedisServer())('evaluate', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bellhop-evaluate-'))
    let redis: TestRedis | undefined
    let queue: Queues
    let journal: Journal
    beforeAll(async () => {
      redis = kind === 'Redis' ? await startRedis() : undefined
      queue = await openQueues({ url: redis?.url ?? (await prepareQueue(directory)) })
      journal = await openJournal(queue.store, { over: 1 })
    })
    afterAll(async () => {
      await queue.close()
      await redis?.stop()
      rmSync(directory, { recursive: true, force: true })
    })

    const makeOne = (text: string, given: Partial<EvaluateWorld> = {}) =>
      makeEvaluation(text, { stores: { queue, journal }, ...given })

    test('what was done is remembered before the next call is sent', async () => {
      const one = await makeOne(
        '\n  - name: a\n    if: { draft: false }\n    then: { label: { add: x }, subscribe: true }',
      )
      const seen: unknown[] = []
      const done = async () => (await one.memory())?.rules['rules/test.yml#a']?.done
      reads()
      service()
        .put(mr)
        .reply(200, async () => {
          seen.push(await done())
          return {}
        })
      service()
        .post(`${mr}/subscribe`)
        .reply(201, async () => {
          seen.push(await done())
          return {}
        })
      reads({ labels: ['x'], subscribed: true })
      expect(await one.run()).toEqual({ outcome: 'done' })
      expect([...seen, await done()]).toEqual([[], ['label'], ['label', 'subscribe']])
    })

    test('time whose booking was not answered is not booked again when it was counted; the event is done with', async () => {
      const one = await makeOne('\n  - name: a\n    on: merge_request.update\n    then: { spend: 15m }')
      await one.post('d1')
      reads(booked(0))
      service().post(`${mr}/add_spent_time`).reply(502)
      await expect(one.run()).rejects.toMatchObject({ status: 502 })
      expect((await one.memory())?.pending).toMatchObject({ call: { action: 'spend', before: 0 } })
      one.clock.now += 1_000
      reads(booked(900))
      expect(await one.run()).toEqual({ outcome: 'done' })
      expect((await one.memory())?.pending).toBeUndefined()
      expect(await one.mail()).toEqual([])
      const [newest] = (await journal.decisions({ mergeRequest: one.ref, limit: 1 })).items
      expect(newest).toMatchObject({ calls: [], settled: { outcome: 'done' } })
    })

    test('time whose booking nobody can tell of is not booked again, and shown', async () => {
      const one = await makeOne('\n  - name: a\n    on: merge_request.update\n    then: { spend: 15m }')
      await one.post('d1')
      reads(booked(0))
      service().post(`${mr}/add_spent_time`).reply(502)
      await expect(one.run()).rejects.toMatchObject({ status: 502 })
      reads(booked(60))
      expect(await one.run()).toEqual({ outcome: 'done' })
      one.clock.now += 1_000
      await one.post('d2')
      reads(booked(60))
      service().post(`${mr}/add_spent_time`).reply(201, {})
      reads(booked(960))
      expect(await one.run()).toEqual({ outcome: 'done' })
      const [newest] = (await journal.decisions({ mergeRequest: one.ref, limit: 1 })).items
      expect(newest?.uncertain).toEqual([expect.stringContaining('it is not repeated')])
    })

    test('mail stays while an event may still ask for something, and goes while only a state is waited for', async () => {
      const one = await makeOne(
        '\n  - name: a\n    if: { draft: false }\n    then: { accept: { pipeline: none } }\n  - name: b\n    on: merge_request.update\n    then: { spend: 15m }',
      )
      await one.post('d1')
      const checking = { merge_status: 'checking' }
      reads({ ...checking, ...booked(0) })
      service().get('/projects/1').reply(200, { id: 1, default_branch: 'main', path_with_namespace: 'acme/door' })
      service().post(`${mr}/add_spent_time`).reply(502)
      await expect(one.run()).rejects.toMatchObject({ status: 502 })
      reads({ ...checking, ...booked(0) })
      // The try that failed counts on: it is not known yet whether its trouble is over.
      expect(await one.run()).toMatchObject({ outcome: 'later' })
      expect(await one.mail()).toHaveLength(1)
      reads({ ...checking, ...booked(900) })
      expect(await one.run()).toEqual({ outcome: 'later', delayMs: 2_000, reason: expect.any(String) })
      expect(await one.mail()).toEqual([])
    })

    test('what is still checked is asked after ever more slowly, and soon again after an event, however old its job is', async () => {
      const one = await makeOne('\n  - name: a\n    if: { draft: false }\n    then: { accept: { pipeline: none } }')
      const addedAt = one.clock.now
      const waits = async (seconds: number) => {
        one.clock.now += seconds * 1_000
        reads({ merge_status: 'checking' })
        service().get('/projects/1').reply(200, { id: 1, default_branch: 'main', path_with_namespace: 'acme/door' })
        const result = await one.run(addedAt)
        return result.outcome === 'later' ? result.delayMs / 1_000 : result
      }
      expect([await waits(0), await waits(20), await waits(3_600)]).toEqual([2, 10, 300])
      await one.post('d1')
      expect([await waits(0), await waits(1), await waits(19)]).toEqual([2, 2, 10])
      await one.post('d2')
      expect(await waits(0)).toBe(2)
    })

    test('what Bellhop holds is taken back where the operator has turned the project off', async () => {
      const one = await makeOne('\n  - name: a\n    if: { draft: false }\n    then: { approve: true }', {
        policy: { mode: 'off' },
      })
      await journal.saveMemory(one.ref, { rules: {}, pushes: [], approvedSha: 'a'.repeat(40) })
      let approved = true
      service().persist().get(mr).reply(200, mergeRequest())
      service()
        .persist()
        .get(`${mr}/approvals`)
        .reply(200, () => ({ approved_by: [], user_has_approved: approved }))
      service()
        .post(`${mr}/unapprove`)
        .reply(201, () => {
          approved = false
          return {}
        })
      expect(await one.run()).toEqual({ outcome: 'done' })
      expect(approved).toBe(false)
      expect((await one.memory())?.approvedSha).toBeUndefined()
    })

    test('rules that undo each other end a turn, not the job', async () => {
      const one = await makeOne(
        '\n  - name: a\n    if: { labels: { none: [x] } }\n    then: { label: { add: x } }\n  - name: b\n    if: { labels: { any: [x] } }\n    then: { label: { remove: x } }',
      )
      let labels: string[] = []
      let calls = 0
      service()
        .persist()
        .get(mr)
        .reply(200, () => mergeRequest({ labels }))
      service()
        .persist()
        .put(mr)
        .reply(200, (_uri, body) => {
          calls += 1
          labels = typeof body === 'object' && 'add_labels' in body ? ['x'] : []
          return {}
        })
      expect(await one.run()).toMatchObject({ outcome: 'later', reason: expect.stringMatching(/undo each other/) })
      for (let turn = 0; turn < 4; turn += 1) {
        one.clock.now += 1_000
        await one.run()
      }
      expect(calls).toBe(10)
      const [newest] = (await journal.decisions({ mergeRequest: one.ref, limit: 1 })).items
      expect(newest).toMatchObject({ calls: [], paused: expect.stringMatching(/^label was done 5 times/) })
    })

    test('what is remembered of one that is over is forgotten, but not what it may have to take back when it is opened again', async () => {
      const [merged, closed, holding] = await Promise.all(
        ['', '', ''].map(() => makeOne('\n  - name: a\n    if: { state: opened }\n    then: { label: { while: x } }')),
      )
      if (!merged || !closed || !holding) throw new Error('three are made')
      await journal.saveMemory(holding.ref, { rules: {}, pushes: [], heldLabels: ['x'] })
      for (const [one, state] of [
        [merged, 'merged'],
        [closed, 'closed'],
      ] as const) {
        reads({ state })
        expect(await one.run()).toEqual({ outcome: 'done' })
        await expect.poll(one.memory).toBeUndefined()
      }
      reads({ state: 'closed', labels: ['x'] })
      service().put(mr).reply(403, { message: '403 Forbidden' })
      await holding.run()
      expect(await holding.memory()).toMatchObject({ heldLabels: ['x'] })
    })
  })
})
