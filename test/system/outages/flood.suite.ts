// Deliveries beyond the backlog get 503, all that got 202 are read, a sweep makes good the rest. Run on each queue.
import { randomUUID } from 'node:crypto'
import { startTestWorld, type TestWorld } from '../world.ts'

const backlog = 40
const rules = `version: 1
rules: [{ name: label documentation, if: { draft: false }, then: { label: { add: documentation } } }]
`

/** `queueUrl` is asked when the suite starts; undefined is the embedded queue. */
export function floodSuite(queueUrl: () => string | undefined): void {
  let world: TestWorld

  beforeAll(async () => {
    // The first turn of the schedule is a day off: each sweep but the one at the start is asked for.
    const settings = {
      BELLHOP_MAX_BACKLOG: String(backlog),
      BELLHOP_SWEEP_EVERY: '24h',
    }
    world = await startTestWorld({ rules, settings, queueUrl: queueUrl() })
  })
  afterAll(() => world.end())

  /** Deliveries that are sent while nothing reads them; what is said of it goes with them. */
  function flood() {
    const answers: { status: number; id?: string; retryAfter: string | null }[] = []
    const deliver = async () => {
      const response = await fetch(`${world.bellhop.url}/hooks`, {
        method: 'POST',
        body: JSON.stringify({ object_kind: 'moonrise', n: randomUUID() }),
        headers: { 'x-gitlab-token': world.hookSecret },
      })
      const { id } = (await response.json()) as { id?: string }
      answers.push({
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        ...(id === undefined ? {} : { id }),
      })
    }
    const refusals = () => answers.filter(({ status }) => status === 503)
    const accepted = () => answers.flatMap(({ id }) => (id === undefined ? [] : [id]))
    return {
      answers,
      deliver,
      refusals,
      accepted,
      wave: (size: number) => Promise.all(Array.from({ length: size }, deliver)),
    }
  }
  const readiness = async () => (await fetch(`${world.bellhop.url}/readyz`)).status
  const sweeps = () => world.log.filter(({ event, why }) => event === 'sweep' && why === 'deliveries_refused').length

  /** All that was answered 202 is read, what was not was told when to come again, and one sweep makes good the rest. */
  async function recovers({ answers, deliver, refusals, accepted }: ReturnType<typeof flood>): Promise<void> {
    const { bot, journal } = world.bellhop
    const before = sweeps()
    for (const { retryAfter } of refusals()) expect(retryAfter).toMatch(/^[1-9]\d*$/)
    expect(await readiness()).toBe(503)
    await bot.queues.deliveries.resume()
    await bot.queues.deliveries.settled()
    await bot.capacity.measure()
    expect(await readiness()).toBe(200)
    await deliver()
    await world.settle()
    expect(new Set(accepted()).size).toBe(answers.length - refusals().length)
    const records = await Promise.all(accepted().map((id) => journal.deliveries.find(id)))
    expect(new Set(records.map((record) => record?.state))).toEqual(new Set(['no_merge_request']))
    await expect.poll(sweeps).toBe(before + 1)
  }

  test('a flood past the backlog', async () => {
    const { bot } = world.bellhop
    const sent = flood()
    const { answers, refusals, wave } = sent
    await world.open('Heard')
    await bot.queues.deliveries.pause()
    await wave(backlog * 0.8)
    await bot.capacity.measure()
    expect([await readiness(), refusals().length]).toEqual([503, 0])
    await wave(backlog)
    await bot.capacity.measure()
    const [kept, refused] = [answers.length, refusals().length]
    await wave(3 * backlog)
    expect(refusals().length - refused).toBe(answers.length - kept)
    const before = world.sandbox.deliveries().length
    const { iid } = await world.openMergeRequest({ branch: 'refused' })
    await world.sandbox.idle()
    const hooks = world.sandbox.deliveries().slice(before)
    expect(new Set(hooks.map(({ result }) => result))).toEqual(new Set([503]))
    expect(sweeps()).toBe(0)
    await recovers(sent)
    await expect.poll(() => world.labels(iid)).toEqual(['documentation'])
  })
}
