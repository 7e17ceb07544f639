// What a sweep wakes, on a service that nock plays: changes since the last one, what waits unseen, fairly and within a budget.
import nock from 'nock'
import { describe, expect, test } from 'vitest'
import { createBudget } from '../../src/bot/budget.ts'
import { sweepAll, sweepNamed } from '../../src/bot/sweep.ts'
import { sweepProject } from '../../src/bot/sweep-project.ts'
import { projectsNamed } from '../../src/bot/sweep-projects.ts'
import type { SweepRecord } from '../../src/journal/types.ts'
import { HOST, playService, service } from '../client/world.ts'
import { useStores } from './stores.ts'
import { type Played, rulesOf, sweepWorld } from './sweep-world.ts'

const stores = useStores()
playService()

let lastProject = 0
const newProject = () => {
  lastProject += 1
  return lastProject
}

/** A project whose merge requests are all judged and at rest, swept and confirmed. */
async function settledWorld(entries: Played[]) {
  const world = sweepWorld(stores)
  const project = newProject()
  const played = { entries }
  await world.play(project, played)
  const sweep = async (calls = 500) => {
    const report = await sweepAll({ ...world.options, calls }, world.now())
    const woken = await world.woken()
    const iids = woken.map((each) => Number(each.split('!')[1]))
    for (const iid of iids) await world.judged(project, iid)
    world.pass(90)
    return { iids: iids.sort((a, b) => a - b), report }
  }
  return { world, project, played, sweep }
}
const many = (count: number, from = 1): Played[] => Array.from({ length: count }, (_, at) => ({ iid: from + at, at: from + at }))
/** The page of a question for open merge requests; undefined: it was for all. */
const pageOfOpen = (uri: string) => {
  const { searchParams } = new URL(uri, 'http://service')
  return searchParams.get('state') === 'opened' ? Number(searchParams.get('page') ?? 1) : undefined
}
const projectsNamedAs = (world: ReturnType<typeof sweepWorld>, project: number) => {
  service().get(`/projects/${project}`).reply(200, { id: project })
  return projectsNamed(world.options, String(project), createBudget(1))
}
const iidsOf = (entries: Played[]) => entries.map(({ iid }) => iid).sort((a, b) => a - b)

describe.sequential('what changed', () => {
  test('the first sweep wakes what is open and was never judged, and none that is closed', async () => {
    const { sweep } = await settledWorld([
      { iid: 1, at: 10 },
      { iid: 2, at: 20, state: 'closed' },
      { iid: 3, at: 30 },
    ])
    expect((await sweep()).iids).toEqual([1, 3])
  })

  test('what changed since is woken, also where it is closed by now, and what did not is left alone', async () => {
    const { sweep, played } = await settledWorld(many(5))
    await sweep()
    await sweep()
    played.entries = [...many(3), { iid: 4, at: 500, state: 'merged' }, { iid: 5, at: 400 }]
    expect((await sweep()).iids).toEqual([4, 5])
  })

  test('a change of the same second as the newest that was seen is found; after that a quiet project costs two calls and wakes nobody', async () => {
    const { sweep, played, world } = await settledWorld([{ iid: 1, at: 100 }])
    await sweep()
    played.entries = [
      { iid: 1, at: 100 },
      { iid: 2, at: 100, state: 'closed' },
    ]
    expect((await sweep()).iids).toEqual([1, 2])
    world.asked.length = 0
    expect((await sweep()).iids).toEqual([])
    expect(world.asked).toHaveLength(2)
  })

  test('what becomes visible late, with an older time than the newest that was seen, is found', async () => {
    const { sweep, played } = await settledWorld([{ iid: 1, at: 1000 }])
    await sweep()
    played.entries = [
      { iid: 1, at: 1000 },
      { iid: 2, at: 960, state: 'merged' },
    ]
    expect((await sweep()).iids).toEqual([1, 2])
  })

  test('a time that lies in the future hides nothing, also where the service’s clock is an hour behind ours', async () => {
    const entries: Played[] = [
      { iid: 1, at: 900_000_000 },
      { iid: 2, at: 5 },
    ]
    const { sweep, played } = await settledWorld(entries)
    Object.assign(played, { clock: 10 })
    await sweep()
    await sweep()
    played.entries = [
      { iid: 1, at: 900_000_000 },
      { iid: 2, at: 30, state: 'merged' },
    ]
    expect((await sweep()).iids).toContain(2)
  })

  test('a time that lies in the future hides nothing', async () => {
    const { sweep, played } = await settledWorld([{ iid: 1, at: 900_000_000 }])
    await sweep()
    await sweep()
    played.entries.push({ iid: 2, at: 7200, state: 'closed' })
    expect((await sweep()).iids).toContain(2)
  })

  test.each([100, 101])('%i changes over pages are each woken once', async (count) => {
    const { sweep, played } = await settledWorld([{ iid: 999, at: 1 }])
    await sweep()
    await sweep()
    played.entries = [{ iid: 999, at: 1 }, ...many(count).map((each) => ({ ...each, at: each.at + 200, state: 'merged' as const }))]
    expect((await sweep()).iids).toEqual(iidsOf(many(count)))
  })

  test('merge requests that change while it sweeps move others over a page’s end: none is missed, and they themselves are the next sweep’s', async () => {
    const { sweep, played } = await settledWorld([{ iid: 999, at: 1 }])
    await sweep()
    await sweep()
    const changed = many(120).map((each): Played => ({ ...each, at: each.at + 200, state: 'merged' }))
    Object.assign(played, {
      entries: changed,
      afterPage() {
        for (const each of changed) if (each.iid === 4 || each.iid === 5) each.at = 900
      },
    })
    const { iids } = await sweep()
    // Those that moved up after the first page was read are the next sweep's.
    expect([4, 5].filter((iid) => iids.includes(iid))).toEqual([])
    const next = await sweep()
    expect(next.iids).toEqual(expect.arrayContaining([4, 5]))
    expect([...new Set([...iids, ...next.iids])].sort((a, b) => a - b)).toEqual(iidsOf(many(120)))
  })
})

describe.sequential('what waits', () => {
  test('an open one is woken whose last decision leaned on what updated_at does not show, and one not judged for a day', async () => {
    const { world, project, sweep } = await settledWorld(many(4))
    await sweep()
    await sweep()
    await world.judged(project, 2, 'pipeline')
    await world.judged(project, 3, 'title')
    expect((await sweep()).iids).toEqual([2])
    world.pass(24 * 3600)
    await world.judged(project, 3, 'title')
    expect((await sweep()).iids).toEqual([1, 2, 4])
  })

  test('a small budget comes round to all that wait, those that were judged longest ago first', async () => {
    const { world, project, sweep } = await settledWorld(many(30))
    for (let n = 0; n < 5; n += 1) await sweep()
    const wait = async (iids: number[]) => {
      for (const iid of iids) await world.judged(project, iid, 'pipeline')
    }
    await wait(iidsOf(many(30)))
    const found: number[][] = []
    for (let n = 0; n < 3; n += 1) {
      world.pass(60)
      const { iids } = await sweep(15)
      await wait(iids)
      found.push(iids)
    }
    const [first = [], second = []] = found
    expect(first.filter((iid) => second.includes(iid))).toEqual([])
    expect([...new Set(found.flat())]).toHaveLength(30)
  })
})

describe.sequential('the budget', () => {
  test('what it did not reach is reached by the next sweeps, newest first, and what comes in between as well', async () => {
    const { sweep, played } = await settledWorld([{ iid: 999, at: 1 }])
    await sweep()
    await sweep()
    played.entries = many(130).map((each) => ({ ...each, at: each.at + 200, state: 'merged' }))
    const { iids, report } = await sweep(40)
    expect(report.left).toBe(1)
    expect(iids).toContain(130)
    const all = new Set(iids)
    played.entries.push({ iid: 131, at: 900, state: 'closed' })
    let last = report
    for (let n = 0; n < 12 && last.left > 0; n += 1) {
      const next = await sweep(40)
      last = next.report
      expect(next.report.calls + next.iids.length).toBeLessThanOrEqual(40)
      for (const iid of next.iids) all.add(iid)
    }
    expect(last.left).toBe(0)
    expect([...all].sort((a, b) => a - b)).toEqual(iidsOf(many(131)))
  })

  test('a project with much to do takes no other project’s turn', async () => {
    const world = sweepWorld(stores)
    const [big, ...small] = Array.from({ length: 5 }, newProject)
    await world.play(big ?? 0, { entries: many(110) })
    for (const project of small) await world.play(project, { entries: many(2) })
    const report = await sweepAll({ ...world.options, calls: 100 }, world.now())
    const woken = await world.woken()
    for (const project of small) for (const iid of [1, 2]) expect(woken).toContain(`${project}!${iid}`)
    expect(report.left).toBe(1)
    expect(woken.filter((each) => each.startsWith(`${big}!`)).length).toBeGreaterThan(30)
  })

  test('projects whose turn did not come are first the next time', async () => {
    const world = sweepWorld(stores)
    const projects = Array.from({ length: 6 }, newProject)
    for (const project of projects) await world.play(project, { entries: many(1) })
    const swept = new Set<string>()
    for (let n = 0; n < 4; n += 1) {
      await sweepAll({ ...world.options, calls: 25 }, world.now())
      for (const each of await world.woken()) swept.add(each)
      world.pass(60)
    }
    expect([...swept].sort()).toEqual(projects.map((project) => `${project}!1`).sort())
  })

  test('a sweep that begins again after a pause leaves alone what had its turn', async () => {
    const world = sweepWorld(stores)
    const [first, second] = [newProject(), newProject()]
    await world.play(first, { entries: many(1) })
    await world.play(second, { entries: many(1), status: 500 })
    const askedAt = world.now() - 1
    await expect(sweepAll(world.options, askedAt)).rejects.toThrow('500')
    world.asked.length = 0
    await world.play(second, { entries: many(1) })
    await sweepAll(world.options, askedAt)
    expect(world.asked.filter((uri) => uri.includes(`/projects/${first}/`))).toEqual([])
    expect(await world.woken()).toEqual([`${first}!1`, `${second}!1`])
  })
})

describe.sequential('a service that is otherwise', () => {
  test.each([['order_by'], ['state'], ['page'], ['order_by', 'state', 'page']] as const)(
    'one that ignores %s hides no change',
    async (...ignores) => {
      const { sweep, played } = await settledWorld([{ iid: 999, at: 1 }])
      Object.assign(played, { ignores, entries: [...many(20), { iid: 21, at: 30, state: 'closed' }] })
      await sweep()
      await sweep()
      // The oldest in the list's own order is the one that changes.
      const last = played.entries.find(({ iid }) => iid === 20)
      if (last !== undefined) last.at = 4_000
      expect((await sweep()).iids).toEqual([20])
    },
  )

  test('a project that is gone is forgotten until a delivery names it again; one that refuses is skipped; the others go on', async () => {
    const world = sweepWorld(stores)
    const [gone, refusing, fine] = [newProject(), newProject(), newProject()]
    await world.play(gone, { entries: [], status: 404 })
    await world.play(refusing, { entries: [], status: 403 })
    await world.play(fine, { entries: many(1) })
    const { projects } = await sweepAll(world.options, world.now())
    expect(projects.filter(({ failed }) => failed !== undefined).map(({ project }) => project)).toEqual([gone, refusing])
    expect(await world.woken()).toEqual([`${fine}!1`])
    expect(await world.journal.knownProjects(world.options.service)).toEqual([refusing, fine])
    await world.play(gone, { entries: many(1) })
    await sweepAll(world.options, world.now())
    expect(await world.woken()).toContain(`${gone}!1`)
  })
})

describe.sequential('where nobody has sent a delivery', () => {
  test('finding such projects leaves calls for those that send deliveries', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    await world.play(project, { entries: many(1) })
    nock.cleanAll()
    let listed = 0
    nock(HOST)
      .persist()
      .get(/^\/api\/v4\/projects\?/)
      .reply(() => {
        listed += 1
        return [200, [{ id: 900_000 + listed }], { 'x-next-page': String(listed + 1) }]
      })
    nock(HOST)
      .get(/^\/api\/v4\/projects\/\d+\/merge_requests\?/)
      .times(2)
      .reply(200, [{ iid: 1, state: 'opened', updated_at: '2026-11-21T10:00:00.000Z' }])
    await sweepAll({ ...world.options, calls: 14 }, world.now())
    expect(listed).toBeLessThanOrEqual(4)
    expect(await world.woken()).toEqual([`${project}!1`])
  })

  test.each([
    ['the repository’s own rules invite', { level: 30, file: true }, true],
    ['the operator’s rules for all projects do not', { level: 30, file: false }, false],
    ['a project of which the bot is no member is left alone, though the service lists it', { level: null, file: true }, false],
  ])('%s', async (_case, project, swept) => {
    const world = sweepWorld(stores)
    const id = newProject()
    const asked: number[] = []
    const rules = rulesOf(project.file ? 'repository' : 'operator')
    world.playUninvited(id, { entries: many(2) }, project)
    const inForce = async (each: number) => {
      asked.push(each)
      return rules.inForce(each)
    }
    await sweepAll({ ...world.options, ruleFiles: { ...rules, inForce } }, world.now())
    expect(await world.woken()).toEqual(swept ? [`${id}!1`, `${id}!2`] : [])
    // What is read that way is believed for minutes: the first delivery after a first rule file would meet no rules.
    expect(asked).toEqual(swept ? [id] : [])
  })

  test('the operator’s rules that name the project invite', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    world.playUninvited(project, { entries: many(1) }, { level: 30, file: false })
    const operatorFiles = [
      { path: 'o.yml', trust: 'operator', blob: 'o', rules: { file: 'o.yml', projects: ['acme/*'], rules: [] } },
    ] as const
    await sweepAll({ ...world.options, ruleFiles: rulesOf('operator'), operatorFiles: operatorFiles as never }, world.now())
    expect(await world.woken()).toEqual([`${project}!1`])
  })
})

describe.sequential('a sweep that a person asks for', () => {
  const record = (of: string, dryRun: boolean): SweepRecord => ({
    ...{ id: 'one', of, dryRun, state: 'running', askedAt: '2026-11-21T10:00:00.000Z', projects: [], calls: 0 },
  })

  test('wakes every open merge request of the group’s projects, those of inner groups as well', async () => {
    const world = sweepWorld(stores)
    const [outer, inner] = [newProject(), newProject()]
    for (const project of [outer, inner]) await world.play(project, { entries: [...many(2), { iid: 3, at: 9, state: 'closed' }] })
    for (const project of [outer, inner]) for (const iid of [1, 2]) await world.judged(project, iid)
    service().get('/projects/acme').reply(404)
    service()
      .get('/groups/acme/projects')
      .query(true)
      .reply(200, [{ id: outer, path_with_namespace: 'acme/a' }])
    service()
      .get('/groups/acme/subgroups')
      .query(true)
      .reply(200, [{ id: 77 }])
    service()
      .get('/groups/77/projects')
      .query(true)
      .reply(200, [{ id: inner, path_with_namespace: 'acme/in/b' }])
    service().get('/groups/77/subgroups').query(true).reply(200, [])
    const told: number[] = []
    const done = await sweepNamed(world.options, record('acme', false), async ({ projects }) => void told.push(projects.length))
    expect(done).toMatchObject({ projectsInAll: 2, projects: [{ path: 'acme/a', looked: 3 }, { path: 'acme/in/b' }] })
    expect(told).toEqual([1, 2])
    expect(await world.woken()).toEqual([`${outer}!1`, `${outer}!2`, `${inner}!1`, `${inner}!2`])
  })

  test('a dry run says what it would wake, and changes nothing', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    await world.play(project, { entries: many(2) })
    service().get(`/projects/${project}`).times(2).reply(200, { id: project })
    const again = async () => (await sweepNamed(world.options, record(String(project), true), async () => undefined)).projects
    const first = await again()
    expect(first.flatMap(({ woken }) => woken.map(({ iid }) => iid)).sort()).toEqual([1, 2])
    expect(await again()).toEqual(first)
    expect(await world.woken()).toEqual([])
  })

  // 100 in a page; the first look ends within the second.
  const tooMany = { entries: many(150), calls: 123 }

  test('a dry run that was cut goes on where it was, though it leaves no mark', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    await world.play(project, { entries: tooMany.entries })
    const [each] = (await projectsNamedAs(world, project)).projects
    if (each === undefined) throw new Error('the project was not found')
    const dry = (calls: number) => sweepProject(world.options, each, { every: true, dryRun: true }, createBudget(calls))
    expect(await dry(tooMany.calls)).toMatchObject({ left: true, looked: 150 })
    world.asked.length = 0
    const rest = await dry(500)
    expect(rest.left).toBe(false)
    expect(world.asked.map(pageOfOpen)).toEqual([undefined, 2])
    expect([...each.woken].sort((a, b) => a - b)).toEqual(iidsOf(tooMany.entries))
    expect(await world.journal.projectMark(world.options.service, project, 'swept')).toBeUndefined()
  })

  test('begins with the first page, also where the schedule was to go on with a later one', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    await world.play(project, { entries: tooMany.entries })
    await sweepAll({ ...world.options, calls: tooMany.calls + 1 }, world.now())
    expect(JSON.parse((await world.journal.projectMark(world.options.service, project, 'swept')) ?? '')).toMatchObject({ openPage: 2 })
    service().get(`/projects/${project}`).reply(200, { id: project })
    const { projects } = await sweepNamed(world.options, record(String(project), true), async () => undefined)
    expect(projects[0]?.woken).toHaveLength(150)
  })

  test('finds no more projects than its budget has calls for, and says so', async () => {
    const groups: string[] = []
    service().get('/projects/huge').reply(404)
    nock(HOST)
      .persist()
      .get(/^\/api\/v4\/groups\/[^/]+\/(projects|subgroups)\?/)
      .reply((uri) => {
        groups.push(uri)
        const inner = Array.from({ length: 100 }, (_, n) => ({ id: groups.length * 1_000 + n }))
        return [200, uri.includes('/subgroups') ? (inner as nock.Body) : [{ id: groups.length }], { 'x-next-page': '' }]
      })
    const world = sweepWorld(stores)
    const budget = createBudget(40)
    const { projects, complete } = await projectsNamed(world.options, 'huge', budget.part(20))
    expect([groups.length, complete, budget.calls, projects.length > 0]).toEqual([19, false, 20, true])
  })

  test('neither a project nor a group is said so', async () => {
    const world = sweepWorld(stores)
    service().get('/projects/nobody').reply(404)
    service().get('/groups/nobody/projects').query(true).reply(404)
    await expect(sweepNamed(world.options, record('nobody', false), async () => undefined)).rejects.toThrow(
      'no project and no group nobody',
    )
  })
})
