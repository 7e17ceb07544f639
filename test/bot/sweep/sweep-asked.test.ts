// Sweeps that a person asks for: groups, dry runs and their budget.
import nock from 'nock'
import { createCallBudget } from '../../../src/bot/service/call-budget.ts'
import { sweepAll, sweepNamed } from '../../../src/bot/sweep/sweep.ts'
import { readMark } from '../../../src/bot/sweep/sweep-mark.ts'
import { sweepProject } from '../../../src/bot/sweep/sweep-project.ts'
import { projectsNamed } from '../../../src/bot/sweep/sweep-projects.ts'
import type { SweepRecord } from '../../../src/journal/types.ts'
import { HOST, playService, service } from '../../client/world.ts'
import { serves, servesList } from '../service-answers.ts'
import { useStores } from '../stores.ts'
import { iidsOf, many, newProject, sweepWorld } from './sweep-world.ts'

const stores = useStores()
playService()

/** The page of a question for open merge requests; undefined: it was for all. */
const pageOfOpen = (uri: string) => {
  const { searchParams } = new URL(uri, 'http://service')
  return searchParams.get('state') === 'opened' ? Number(searchParams.get('page') ?? 1) : undefined
}
const projectsNamedAs = (world: ReturnType<typeof sweepWorld>, project: number) => {
  serves(`/projects/${project}`, { id: project })
  return projectsNamed(world.context, String(project), createCallBudget(1))
}

describe.sequential('a sweep that a person asks for', () => {
  const record = (of: string, dryRun: boolean): SweepRecord => ({
    ...{ id: 'one', of, dryRun, state: 'running', askedAt: '2026-11-21T10:00:00.000Z', projects: [], calls: 0 },
  })

  test('enqueues every open merge request of the group’s projects, also in subgroups', async () => {
    const world = sweepWorld(stores)
    const [outer, inner] = [newProject(), newProject()]
    for (const project of [outer, inner])
      await world.play(project, { entries: [...many(2), { iid: 3, at: 9, state: 'closed' }] })
    for (const project of [outer, inner]) for (const iid of [1, 2]) await world.evaluated(project, iid)
    service().get('/projects/acme').reply(404)
    servesList('/groups/acme/projects', [{ id: outer, path_with_namespace: 'acme/a' }])
    servesList('/groups/acme/subgroups', [{ id: 77 }])
    servesList('/groups/77/projects', [{ id: inner, path_with_namespace: 'acme/in/b' }])
    servesList('/groups/77/subgroups', [])
    const told: number[] = []
    const done = await sweepNamed(
      world.context,
      record('acme', false),
      async ({ projects }) => void told.push(projects.length),
    )
    expect(done).toMatchObject({ projectsInAll: 2, projects: [{ path: 'acme/a', looked: 3 }, { path: 'acme/in/b' }] })
    expect(told).toEqual([1, 2])
    expect(await world.enqueued()).toEqual([`${outer}!1`, `${outer}!2`, `${inner}!1`, `${inner}!2`])
  })

  test('as a dry run reports what it would enqueue, and changes nothing', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    await world.play(project, { entries: many(2) })
    service().get(`/projects/${project}`).times(2).reply(200, { id: project })
    const again = async () =>
      (await sweepNamed(world.context, record(String(project), true), async () => undefined)).projects
    const first = await again()
    expect(first.flatMap(({ enqueued }) => enqueued.map(({ iid }) => iid)).sort()).toEqual([1, 2])
    expect(await again()).toEqual(first)
    expect(await world.enqueued()).toEqual([])
  })

  // 100 in a page; the first look ends within the second.
  const tooMany = { entries: many(150), calls: 123 }

  test('as a dry run continues where its budget ended, and leaves no mark', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    await world.play(project, { entries: tooMany.entries })
    const [each] = (await projectsNamedAs(world, project)).projects
    if (each === undefined) throw new Error('the project was not found')
    const dry = (calls: number) =>
      sweepProject(world.context, each, { every: true, dryRun: true }, createCallBudget(calls))
    expect(await dry(tooMany.calls)).toMatchObject({ left: true, looked: 150 })
    world.asked.length = 0
    const rest = await dry(500)
    expect(rest.left).toBe(false)
    expect(world.asked.map(pageOfOpen)).toEqual([undefined, 2])
    expect([...each.enqueued].sort((a, b) => a - b)).toEqual(iidsOf(tooMany.entries))
    expect((await readMark(world.journal, project)).sweptAt).toBe(0)
  })

  test('begins with the first page, whatever the mark of the schedule says', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    await world.play(project, { entries: tooMany.entries })
    await sweepAll(world.within(tooMany.calls + 1), world.now())
    expect(await readMark(world.journal, project)).toMatchObject({ lists: { 'merge requests': { openPage: 2 } } })
    serves(`/projects/${project}`, { id: project })
    const { projects } = await sweepNamed(world.context, record(String(project), true), async () => undefined)
    expect(projects[0]?.enqueued).toHaveLength(150)
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
    const budget = createCallBudget(40)
    const { projects, complete } = await projectsNamed(world.context, 'huge', budget.part(20))
    expect([groups.length, complete, budget.calls, projects.length > 0]).toEqual([19, false, 20, true])
  })
})
