// Sweeps on a service that ignores parameters, or has projects that are gone or refuse.
import { sweepAll } from '../../../src/bot/sweep/sweep.ts'
import { playService } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { many, newProject, type Played, settledOn, sweepWorld } from './sweep-world.ts'

const stores = useStores()
playService()
const settledWorld = settledOn(stores)

describe.sequential('a service that is otherwise', () => {
  test.each([['order_by'], ['order_by', 'state', 'page']] as const)(
    'one that ignores %s hides no change',
    async (...ignores) => {
      const { sweep, played } = await settledWorld({ entries: [{ iid: 999, at: 1 }] as Played[] })
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
    const { projects } = await sweepAll(world.context, world.now())
    const failed = projects.filter((each) => each.failed !== undefined).map(({ project }) => project)
    expect(failed).toEqual([gone, refusing])
    expect(await world.enqueued()).toEqual([`${fine}!1`])
    expect(await world.journal.projects.known()).toEqual([refusing, fine])
    await world.play(gone, { entries: many(1) })
    await sweepAll(world.context, world.now())
    expect(await world.enqueued()).toContain(`${gone}!1`)
  })
})
