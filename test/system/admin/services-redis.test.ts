// Several hosting services in one process: each has its own queues, secrets, token and rules, though ids of projects and merge requests are the same. On Redis alone, the quicker backend: no case depends on it.
import { writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { onRedis } from '../../servers/on-redis.ts'
import { inTheEnd } from '../crashes/queue-processes.ts'
import { adminToken, type Served, type ServicesWorld, startServicesWorld } from '../services-world.ts'

onRedis((queueUrl) => {
  let world: ServicesWorld
  beforeAll(async () => {
    world = await startServicesWorld(queueUrl())
  })
  afterAll(() => world?.end())
  afterEach(() => {
    for (const { sandbox } of [world.one, world.two]) sandbox.faults.clear()
  })
  const deliver = async (path: string, secret: string, body = '{}') => {
    const headers = { 'content-type': 'application/json', 'x-gitlab-token': secret }
    const response = await fetch(`${world.bellhop.url}${path}`, { method: 'POST', headers, body })
    await response.body?.cancel()
    return response.status
  }
  const labelled = (served: Served, iid: number) =>
    inTheEnd(async () => expect(await served.labels(iid)).toEqual([served.name]))
  const inService = ({ name }: Served, path: string) =>
    world.ask(`${path}${path.includes('?') ? '&' : '?'}service=${name}`)

  test('the same project and merge request of two services are two: each is evaluated by its own rules, with its own token', async () => {
    const { one, two } = world
    const iids = [await one.openMergeRequest('same'), await two.openMergeRequest('same')]
    expect([one.project, iids[0]]).toEqual([two.project, iids[1]])
    await world.settle()
    const [iid = 0] = iids
    expect([await one.labels(iid), await two.labels(iid)]).toEqual([['one'], ['two']])
    for (const served of [one, two]) {
      const { items } = await world.bellhop.journal.decisions({
        mergeRequest: { service: served.name, project: served.project, iid },
        limit: 50,
      })
      expect(new Set(items.flatMap(({ rules }) => rules.map(({ file }) => file.includes(`/${served.name}/`))))).toEqual(
        new Set([true]),
      )
      expect(items.flatMap(({ calls }) => calls)).toMatchObject([{ action: 'label' }])
    }
  })

  test('the secret of one does not open the other, and the first has the addresses of a service that is alone', async () => {
    const { one, two } = world
    expect(await deliver('/hooks/one', one.hookSecret)).toBe(202)
    expect(await deliver('/hooks/two', two.hookSecret)).toBe(202)
    expect(await deliver('/hooks/two', one.hookSecret)).toBe(401)
    expect(await deliver('/hooks/one', two.hookSecret)).toBe(401)
    expect(await deliver('/hooks', two.hookSecret)).toBe(401)
    expect(await deliver('/hooks', one.hookSecret)).toBe(202)
    expect(await deliver('/hooks/three', one.hookSecret)).toBe(404)
  })

  test.each([
    [
      'is away',
      async ({ sandbox }: Served) => void sandbox.faults.api({ caller: 'bellhop', do: 'drop' }),
      async ({ sandbox }: Served) => sandbox.faults.clear(),
    ],
    [
      'has no calls left',
      async ({ sandbox }: Served) =>
        void sandbox.faults.api({ caller: 'bellhop', do: { status: 429, headers: { 'Retry-After': '1' } } }),
      async ({ sandbox }: Served) => sandbox.faults.clear(),
    ],
    [
      'rejects the token',
      async ({ tokenFile }: Served) => writeFile(tokenFile, 'glpat-expired'),
      async ({ tokenFile, token }: Served) => writeFile(tokenFile, token),
    ],
  ])('while one %s the other goes on, and the first is made good afterwards', async (how, begin, end) => {
    const { one, two } = world
    const branch = how.replaceAll(' ', '-')
    await begin(two)
    const waits = await two.openMergeRequest(branch)
    await inTheEnd(async () => expect(await conditionOf(two)).not.toBe('fine'))
    const goesOn = await one.openMergeRequest(branch)
    await labelled(one, goesOn)
    expect(await two.labels(waits)).toEqual([])
    expect(await conditionOf(one)).toBe('fine')
    const ready = await fetch(`${world.bellhop.url}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { services: { one: { service: 'fine' }, two: { capacity: 'available' } } },
    ])
    await end(two)
    await labelled(two, waits)
    await world.settle()
  })
  const conditionOf = async (served: Served) => {
    const { body } = await inService(served, '/overview')
    return (body as { status: { service: { is: string } } }).status.service.is
  }

  test('a replay goes to the service that it is of, and a request that names none is refused', async () => {
    const { one, two } = world
    const iid = await two.openMergeRequest('replayed')
    await world.settle()
    const { items } = (await inService(two, `/decisions?project=${two.project}&iid=${iid}`)).body as {
      items: { id: string }[]
    }
    const before = items.length
    const post = (path: string) =>
      world.ask(path, { method: 'POST', headers: { authorization: `Bearer ${adminToken}` } })
    const replay = (query: string) => post(`/decisions/${items[0]?.id}/replay${query}`)
    expect(await replay('')).toMatchObject({ status: 400, body: { error: expect.stringContaining('one, two') } })
    expect((await replay('?service=one')).status).toBe(404)
    expect((await replay('?service=two')).status).toBe(202)
    await world.settle()
    const after = (await inService(two, `/decisions?project=${two.project}&iid=${iid}`)).body as { items: unknown[] }
    expect(after.items.length).toBe(before + 1)
    expect((await post(`/queue/pause?service=one&project=${one.project}`)).status).toBe(202)
    const goesOn = await two.openMergeRequest('not-paused')
    await labelled(two, goesOn)
    expect((await post(`/queue/resume?service=one&project=${one.project}`)).status).toBe(202)
    const audited = async (answer: ReturnType<typeof world.ask>) =>
      ((await answer).body as { items: { operation: string; to: { service: string } }[] }).items.map(
        ({ operation, to }) => `${operation} ${to.service}`,
      )
    const [ofOne, ofTwo] = [await audited(inService(one, '/audit')), await audited(inService(two, '/audit'))]
    expect([ofOne, ofTwo]).toEqual([['resume one', 'pause one', 'replay_decision one'], ['replay_decision two']])
    expect((await audited(world.ask('/audit'))).sort()).toEqual([...ofOne, ...ofTwo].sort())
  })

  test('metrics have the service as a label', async () => {
    const iid = await world.one.openMergeRequest('counted')
    await labelled(world.one, iid)
    await world.settle()
    const text = await (
      await fetch(`${world.bellhop.url}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } })
    ).text()
    for (const service of ['one', 'two']) {
      expect(text).toContain(`bellhop_service_condition{service="${service}",state="fine"} 1`)
      expect(text).toContain(`bellhop_jobs{service="${service}",queue="deliveries",state="waiting"} 0`)
    }
    expect(text).toMatch(/bellhop_actions_total\{service="one",action="label",result="done"\} [1-9]/)
    expect(text).not.toMatch(/rule="[^"]*\/two\/[^"]*"[^}]*service="one"|service="one"[^}]*rule="[^"]*\/two\//)
  })
})
