// GET /metrics of a bot at work: all that happened is counted exactly. On Redis only (backend-independent).
import { type Family, readExposition } from '../../admin/metrics/exposition.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - name: of docs
    if: { changed_files: { all: "docs/**" }, state: opened }
    then: { label: { add: documentation } }
  - name: never
    if: { title: nobody writes this }
    then: { subscribe: true }
`

onRedis((queueUrl) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({
      rules,
      queueUrl: queueUrl(),
      settings: { BELLHOP_ADMIN_TOKENS: 'mon:read:monitoring-token-1,doer:manage:managing-token-0001' },
    })
  })
  afterAll(() => world?.end())

  const ask = (token?: string) =>
    fetch(`${world.bellhop.url}/metrics`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
  const scrape = async (): Promise<Map<string, Family>> => {
    const response = await ask('monitoring-token-1')
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    return readExposition(await response.text())
  }
  /** The values by their labels, without those that are 0. */
  const samples = (families: Map<string, Family>, name: string) =>
    Object.fromEntries(
      [...(families.get(name)?.samples ?? [])]
        .map(([series, value]): [string, number] => [series.slice(name.length), value])
        .filter(([, value]) => value !== 0),
    )
  const count = <T>(items: readonly T[], keyOf: (item: T) => string) => {
    const counts: Record<string, number> = {}
    for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
    return counts
  }

  describe.sequential('of a bot at work', () => {
    test('require the scope read', async () => {
      expect((await ask()).status).toBe(401)
      expect((await ask('managing-token-0001')).status).toBe(403)
      expect((await ask('monitoring-token-1')).status).toBe(200)
    })

    test('count what happened', async () => {
      const { iid } = await world.open('Counted', { files: { 'docs/counted.md': 'one' } })
      expect([await world.deliver('{'), await world.deliver('{}', { 'x-gitlab-token': 'wrong' })]).toEqual([202, 401])
      await world.settle()
      const families = await scrape()
      const decisions = await world.decisions(iid)
      const lines = world.log.filter(({ event }) => event === 'delivery_read')
      expect(samples(families, 'bellhop_deliveries_total')).toEqual(
        count(lines, ({ kind: of, state }) => `{kind="${of ?? 'none'}",result="${state}"}`),
      )
      expect(samples(families, 'bellhop_deliveries_total')).toMatchObject({
        '{kind="merge_request.open",result="read"}': 1,
        '{kind="none",result="unreadable"}': 1,
      })
      expect(samples(families, 'bellhop_hook_answers_total')).toEqual({
        '{status="202"}': lines.length,
        '{status="401"}': 1,
      })
      const counted = samples(families, 'bellhop_rule_decisions_total')
      expect(Object.keys(counted)).toHaveLength(new Set(Object.keys(counted)).size)
      expect(counted['{rule=".bellhop.yml#of docs",outcome="acted"}']).toBe(1)
      expect(counted['{rule=".bellhop.yml#never",outcome="false"}']).toBe(decisions.length)
      expect(samples(families, 'bellhop_actions_total')).toEqual({ '{action="label",result="done"}': 1 })
      expect(samples(families, 'bellhop_evaluation_seconds').valueOf()).toMatchObject({ _count: decisions.length })
      const waited = decisions.filter(({ waitedMs }) => waitedMs !== undefined)
      expect(waited.length).toBeGreaterThan(0)
      expect(samples(families, 'bellhop_delivery_to_decision_seconds')).toMatchObject({ _count: waited.length })
      const read = samples(families, 'bellhop_rule_files_read_total')
      expect(read['{result="good"}']).toBeGreaterThan(0)
      expect(read['{result="broken"}']).toBeUndefined()
    })

    test('name requests by endpoint, one for each that was sent', async () => {
      const requests = world.log.filter(({ event }) => event === 'request')
      const families = await scrape()
      expect(samples(families, 'bellhop_service_requests_total')).toEqual(
        count(requests, ({ endpoint, status }) => `{endpoint="${endpoint}",status="${status}"}`),
      )
      const took = [...(families.get('bellhop_service_request_seconds')?.samples ?? [])].filter(([series]) =>
        series.includes('_count'),
      )
      expect(took.reduce((sum, [, value]) => sum + value, 0)).toBe(requests.length)
    })
  })
})
