// Outages: all queues respect limits, nothing fails by a bad token, a broken request fails one job. Run on each queue.
import { eventually } from '../../eventually.ts'
import { type LogLine, startTestWorld, type TestWorld } from '../world.ts'

// Only what is named "docs" needs to be read any further; "other" is not labelled.
const rules = `version: 1
rules:
  - name: label all
    if: { title: { matches: "^(docs|code)" } }
    then: { label: { add: seen } }
  - name: subscribe to others
    if: { title: { matches: "^other" } }
    then: { subscribe: true }
  - name: label documentation
    if: { title: { matches: "^docs" }, changed_files: { all: "docs/**" } }
    then: { label: { add: documentation } }
`

/** Longer than a call waits by itself. */
const retryAfterS = 2
const retryDelays = { attempts: 3, callMs: 400 }

export function outageSuite(queueUrl: () => string | undefined): void {
  // On a busy machine the pauses are the shorter part.
  vi.setConfig({ testTimeout: 180_000 })
  let world: TestWorld
  /** What the log said before the test. */
  let before = 0
  let named = 0
  beforeAll(async () => {
    world = await startTestWorld({ rules, retryDelays, queueUrl: queueUrl() })
    await world.settle()
  })
  afterAll(() => world?.end())
  beforeEach(() => {
    before = world.rawLog.length
  })

  afterEach(() => world.sandbox.faults.clear())

  const log = (event: string): LogLine[] => world.log.slice(before).filter((line) => line.event === event)
  /** Every request of the bot, in milliseconds since 1970. */
  const sent = () =>
    log('request').map(({ time, durationMs, status, endpoint }) => ({
      at: Date.parse(String(time)) - Number(durationMs),
      status,
      endpoint,
    }))
  const openDocs = async (kind: 'docs' | 'code' | 'other' = 'docs') => {
    named += 1
    const files = { [`docs/${kind}-${named}.md`]: `# ${named}\n` }
    return world.openMergeRequest({
      branch: `${kind}-${named}`,
      title: `${kind} ${named}`,
      files,
    })
  }
  const labels = async (iid: number) => (await world.service.mergeRequests.get(world.ref(iid))).body.labels?.toSorted()
  const ready = async () => {
    const answer = await fetch(`${world.bellhop.url}/readyz`)
    const { failed } = (await answer.json()) as { failed?: string[] }
    return { status: answer.status, failed }
  }
  /** Everything is done, and nothing has failed or cost an attempt. */
  const expectNoFailure = async () => {
    expect(log('job_failed')).toEqual([])
    const { deliveries, mergeRequests } = world.bellhop.bot.queues
    expect([(await deliveries.counts()).failed, (await mergeRequests.counts()).failed]).toEqual([0, 0])
  }

  test('a rate limit stops all calls until its time has come, and costs no attempt', async () => {
    const from = Date.now()
    world.sandbox.faults.api({
      endpoint: 'mergeRequests.diffs',
      caller: 'bellhop',
      times: 1,
      do: { status: 429, headers: { 'retry-after': String(retryAfterS) } },
    })
    const all = [await openDocs(), await openDocs(), await openDocs()]
    await world.settle()
    for (const { iid } of all) expect(await labels(iid)).toEqual(['documentation', 'seen'])
    const requests = sent()
    // The service's record has the end of the limit, the log when Bellhop knew: earlier requests may still arrive.
    const limitedAt = world.sandbox.calls().find(({ at, status }) => status === 429 && at >= from)?.at ?? Number.NaN
    const heardAt = Date.parse(String(log('service_rate_limited')[0]?.time))
    const freeAt = limitedAt + retryAfterS * 1_000
    const during = requests.filter(({ at }) => at > heardAt && at < freeAt)
    expect(heardAt).toBeGreaterThanOrEqual(limitedAt)
    expect(requests.some(({ at }) => at >= freeAt)).toBe(true)
    expect(during).toEqual([])
    await expectNoFailure()
  })

  test('a limit that is used up is kept before a 429 comes', async () => {
    let resetAt = Number.NaN
    const addHeaders = () => {
      resetAt = Math.ceil(Date.now() / 1_000 + 2)
      return { 'ratelimit-remaining': '0', 'ratelimit-reset': String(resetAt) }
    }
    world.sandbox.faults.api({ endpoint: 'mergeRequests.diffs', caller: 'bellhop', times: 1, do: { addHeaders } })
    const all = [await openDocs(), await openDocs(), await openDocs()]
    await world.settle()
    for (const { iid } of all) expect(await labels(iid)).toEqual(['documentation', 'seen'])
    const requests = sent()
    // By the log, as answers to the other merge requests may arrive before the one that tells of the limit.
    const heardAt = Date.parse(String(log('service_rate_limited')[0]?.time))
    const during = requests.filter(({ at }) => at > heardAt && at < resetAt * 1_000)
    expect(heardAt).toBeLessThan(resetAt * 1_000)
    expect(during).toEqual([])
    expect(requests.filter(({ status }) => status === 429)).toEqual([])
    expect(requests.some(({ at }) => at >= resetAt * 1_000)).toBe(true)
    await expectNoFailure()
  })

  test('an outage costs no attempt, deliveries are taken meanwhile, and work goes on by itself', async () => {
    const mend = world.sandbox.faults.api({ caller: 'bellhop', do: { status: 502 } })
    const { iid } = await openDocs()
    await eventually(() => expect(log('service_unreachable')).toHaveLength(1))
    expect((await ready()).status).toBe(200)
    expect(await world.deliver('{}')).toBe(202)
    // As many looks as there are attempts, and more.
    await eventually(() => expect(log('service_paused').length).toBeGreaterThan(retryDelays.attempts))
    mend()
    await world.settle()
    expect(await labels(iid)).toEqual(['documentation', 'seen'])
    expect([log('service_unreachable').length, log('service_available').length]).toEqual([1, 1])
    await expectNoFailure()
  })

  test('a request that always fails holds up its own merge request alone', async () => {
    const mend = world.sandbox.faults.api({ endpoint: 'mergeRequests.diffs', caller: 'bellhop', do: { status: 503 } })
    const broken = await openDocs()
    const name = expect.stringMatching(new RegExp(`^[^ ]+/[^ ]+!${broken.iid}$`))
    await eventually(() => expect(log('job_failed')[0]).toMatchObject({ mergeRequest: name }))
    const others = [await openDocs('code'), await openDocs('code')]
    for (const { iid } of others) await eventually(async () => expect(await labels(iid)).toEqual(['seen']))
    expect(log('service_paused')).toEqual([])
    expect(await labels(broken.iid)).toEqual([])
    mend()
    const { mergeRequests } = world.bellhop.bot.queues
    await eventually(async () => {
      // On a slow machine it has used up its few attempts meanwhile.
      for (const { id } of await mergeRequests.list(['failed'], 0, 1)) await mergeRequests.retry(id)
      expect(await labels(broken.iid)).toEqual(['documentation', 'seen'])
    })
  })

  test('a write that meets 500 is tried again, and done once', async () => {
    world.sandbox.faults.api({ endpoint: 'mergeRequests.update', caller: 'bellhop', times: 1, do: { status: 500 } })
    const { iid } = await openDocs()
    await eventually(async () => expect(await labels(iid)).toEqual(['documentation', 'seen']))
    await world.settle()
    expect(world.calls(iid).map(({ result }) => result)).toEqual(['ambiguous', 'done'])
  })

  test('a write that meets 500 for good fails after so many attempts with its reason, others go on meanwhile, and it can be replayed', async () => {
    const { mergeRequests } = world.bellhop.bot.queues
    const mend = world.sandbox.faults.api({ endpoint: 'mergeRequests.update', caller: 'bellhop', do: { status: 500 } })
    const { iid } = await openDocs()
    await eventually(() => expect(world.calls(iid).length).toBeGreaterThan(1))
    const other = await openDocs('other')
    await eventually(() => expect(world.calls(other.iid).map(({ result }) => result)).toEqual(['done']))
    await eventually(async () => expect((await mergeRequests.counts()).failed).toBe(1))
    const [failed] = await mergeRequests.list(['failed'], 0, 1)
    expect(failed).toMatchObject({ data: { iid }, failure: expect.stringContaining('500') })
    const tried = world.calls(iid).map(({ result }) => result)
    expect(tried.length).toBeGreaterThanOrEqual(retryDelays.attempts)
    expect(new Set(tried)).toEqual(new Set(['ambiguous']))

    mend()
    await world.settle()
    expect(world.calls(iid)).toHaveLength(tried.length)
    const [decision] = await world.decisions(iid)
    expect(await world.bellhop.bot.replay.delivery(decision?.deliveries[0] ?? '', 'test')).toMatchObject({
      is: 'replayed',
    })
    // "Not done" is believed only some seconds after the last try.
    await eventually(async () => expect(await labels(iid)).toEqual(['documentation', 'seen']))
    await world.settle()
    expect(world.calls(iid).filter(({ result }) => result === 'done')).toHaveLength(1)
    await mergeRequests.remove(failed?.id ?? '')
  })
}
