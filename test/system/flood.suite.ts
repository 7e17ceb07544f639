// More deliveries than may wait: what is beyond the backlog is answered 503, all that was answered 202 is read, and a sweep makes good the rest. Run on each queue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestWorld, type TestWorld } from './world.ts'

const backlog = 40

/** `queueUrl` is asked when the suite starts; undefined is the embedded queue. */
export function floodSuite(queueUrl: () => string | undefined): void {
  let world: TestWorld

  beforeAll(async () => {
    const url = queueUrl()
    // The first turn of the schedule is a day off: each sweep but the one at the start is asked for.
    const settings = { BELLHOP_MAX_BACKLOG: String(backlog), BELLHOP_SWEEP_EVERY: '24h' }
    world = await startTestWorld({ rules: 'version: 1\nrules: []\n', settings, ...(url === undefined ? {} : { queueUrl: url }) })
  })
  afterAll(() => world.end())

  test('a flood past the backlog', async () => {
    const { bot, url, journal } = world.bellhop
    const readiness = async () => (await fetch(`${url}/readyz`)).status
    const answers: { status: number; id?: string; retryAfter: string | null }[] = []
    let next = 0
    const deliver = async () => {
      next += 1
      const response = await fetch(`${url}/hooks`, {
        method: 'POST',
        body: JSON.stringify({ object_kind: 'moonrise', n: next }),
        headers: { 'x-gitlab-token': world.hookSecret },
      })
      const { id } = (await response.json()) as { id?: string }
      answers.push({ status: response.status, retryAfter: response.headers.get('retry-after'), ...(id === undefined ? {} : { id }) })
    }
    const wave = (size: number) => Promise.all(Array.from({ length: size }, deliver))
    const refusals = () => answers.filter(({ status }) => status === 503)
    const sweeps = () => world.log.filter(({ event, why }) => event === 'sweep' && why === 'deliveries were refused').length

    await world.settle()
    await bot.lanes.deliveries.pause()
    await wave(backlog * 0.8)
    await bot.room.look()
    expect([await readiness(), refusals().length]).toEqual([503, 0])
    await wave(backlog)
    await bot.room.look()
    const kept = answers.length
    await wave(3 * backlog)
    expect(answers.length - kept).toBe(refusals().length)
    for (const { retryAfter } of refusals()) expect(retryAfter).toMatch(/^[1-9]\d*$/)
    expect([await readiness(), sweeps()]).toEqual([503, 0])

    await bot.lanes.deliveries.resume()
    await bot.lanes.deliveries.settled()
    await bot.room.look()
    expect(await readiness()).toBe(200)
    await deliver()
    await world.settle()
    const accepted = answers.flatMap(({ id }) => (id === undefined ? [] : [id]))
    expect(new Set(accepted).size).toBe(answers.length - refusals().length)
    const records = await Promise.all(accepted.map((id) => journal.delivery(id)))
    expect(new Set(records.map((record) => record?.state))).toEqual(new Set(['uninteresting']))
    await expect.poll(sweeps, { timeout: 20_000 }).toBe(1)
  }, 60_000)
}
