// How sweeps share a budget of calls among merge requests and projects, and go on where they were.
import { sweepAll } from '../../../src/bot/sweep/sweep.ts'
import { playService } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { iidsOf, many, newProject, type Played, settledOn, sweepWorld } from './sweep-world.ts'

const stores = useStores()
playService()
const settledWorld = settledOn(stores)

describe.sequential('the budget', () => {
  test('the next sweeps reach what is left, newest first, and later changes as well', async () => {
    const { sweep, played } = await settledWorld({ entries: [{ iid: 999, at: 1 }] as Played[] })
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

  test('what is left is found though some before it were deleted, which moves it to an earlier page', async () => {
    const { sweep, played } = await settledWorld({ entries: [{ iid: 999, at: 1 }] as Played[] })
    await sweep()
    await sweep()
    played.entries = many(150).map((each) => ({ ...each, at: each.at + 200, state: 'merged' }))
    const first = await sweep(120)
    expect([first.report.left, first.iids.length > 100]).toEqual([1, true])
    played.entries = played.entries.filter(({ iid }) => iid <= 90)
    const { iids } = await sweep()
    expect([...new Set([...first.iids, ...iids])].sort((a, b) => a - b)).toEqual(iidsOf(many(150)))
  })

  test('a busy project leaves the others their share', async () => {
    const world = sweepWorld(stores)
    const [big, ...small] = Array.from({ length: 5 }, newProject)
    await world.play(big ?? 0, { entries: many(110) })
    for (const project of small) await world.play(project, { entries: many(2) })
    const report = await sweepAll(world.within(100), world.now())
    const enqueued = await world.enqueued()
    for (const project of small) for (const iid of [1, 2]) expect(enqueued).toContain(`${project}!${iid}`)
    expect(report.left).toBe(1)
    expect(enqueued.filter((each) => each.startsWith(`${big}!`)).length).toBeGreaterThan(30)
  })

  test('projects that were not reached are first in the next sweep', async () => {
    const world = sweepWorld(stores)
    const projects = Array.from({ length: 6 }, newProject)
    for (const project of projects) await world.play(project, { entries: many(1) })
    const swept = new Set<string>()
    for (let n = 0; n < 4; n += 1) {
      await sweepAll(world.within(25), world.now())
      for (const each of await world.enqueued()) swept.add(each)
      world.pass(60)
    }
    expect([...swept].sort()).toEqual(projects.map((project) => `${project}!1`).sort())
  })

  test('a retried sweep skips projects that it has swept', async () => {
    const world = sweepWorld(stores)
    const [first, second] = [newProject(), newProject()]
    await world.play(first, { entries: many(1) })
    await world.play(second, { entries: many(1), status: 500 })
    const askedAt = world.now() - 1
    await expect(sweepAll(world.context, askedAt)).rejects.toThrow('500')
    world.asked.length = 0
    await world.play(second, { entries: many(1) })
    await sweepAll(world.context, askedAt)
    expect(world.asked.filter((uri) => uri.includes(`/projects/${first}/`))).toEqual([])
    expect(await world.enqueued()).toEqual([`${first}!1`, `${second}!1`])
  })
})
