// What a sweep enqueues: changes since the last sweep, and what may have changed unseen.
import { sweepAll } from '../../../src/bot/sweep/sweep.ts'
import { playService } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { iidsOf, many, type Played, rule, rulesOf, settledOn } from './sweep-world.ts'

playService()
const settled = settledOn(useStores())
const settledWorld = (entries: Played[]) => settled<{ entries: Played[] }>({ entries })

describe.sequential('what changed', () => {
  test('the first sweep enqueues open merge requests that were never evaluated', async () => {
    const { sweep } = await settledWorld([
      { iid: 1, at: 10 },
      { iid: 2, at: 20, state: 'closed' },
      { iid: 3, at: 30 },
    ])
    expect((await sweep()).iids).toEqual([1, 3])
  })

  test('a sweep enqueues what changed since the last one, also closed merge requests', async () => {
    const { sweep, played } = await settledWorld(many(5))
    await sweep()
    await sweep()
    played.entries = [...many(3), { iid: 4, at: 500, state: 'merged' }, { iid: 5, at: 400 }]
    expect((await sweep()).iids).toEqual([4, 5])
  })

  test('a change within the second of the newest is found; then a quiet project costs two calls', async () => {
    const { sweep, played } = await settledWorld([{ iid: 1, at: 100 }])
    await sweep()
    played.entries = [
      { iid: 1, at: 100 },
      { iid: 2, at: 100, state: 'closed' },
    ]
    expect((await sweep()).iids).toEqual([1, 2])
    expect(await sweep()).toMatchObject({ iids: [], lists: ['merge_requests', 'merge_requests'] })
  })

  test('the rules are read again where the service lists the project under another path', async () => {
    const { world, project } = await settledWorld(many(1))
    const rules = rulesOf('operator')
    const reported: (string | undefined)[] = []
    const inForce: typeof rules.inForce = (id, options) => {
      reported.push(options?.reported?.path)
      return rules.inForce(id)
    }
    const permissions = { project_access: { access_level: 40, notification_level: 3 }, group_access: null }
    for (const path of ['hotel/app', 'hotel/app', 'inn/app']) {
      world.members.splice(0, 1, { id: project, path_with_namespace: path, permissions })
      await sweepAll({ ...world.context, rules: { ...rules, inForce } }, world.now())
      world.pass(90)
    }
    expect(reported).toEqual(['hotel/app', 'inn/app'])
  })

  test('changes over several pages are each enqueued once', async () => {
    const count = 101
    const { sweep, played } = await settledWorld([{ iid: 999, at: 1 }])
    await sweep()
    await sweep()
    played.entries = [
      { iid: 999, at: 1 },
      ...many(count).map((each) => ({ ...each, at: each.at + 200, state: 'merged' as const })),
    ]
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

describe.sequential('unseen changes', () => {
  test('an open merge request is enqueued when its decision used facts that updated_at does not show, or is a day old', async () => {
    const { world, project, sweep } = await settledWorld(many(4))
    await sweep()
    await sweep()
    await world.evaluated(project, 1, 'upvotes')
    await world.evaluated(project, 2, 'pipeline')
    await world.evaluated(project, 3, 'title')
    expect((await sweep()).iids).toEqual([1, 2])
    world.pass(24 * 3600)
    await world.evaluated(project, 3, 'title')
    expect((await sweep()).iids).toEqual([1, 2, 4])
  })

  test('a small budget reaches all of them in time, the longest unevaluated first', async () => {
    const { world, project, sweep } = await settledWorld(many(30))
    for (let n = 0; n < 5; n += 1) await sweep()
    const wait = async (iids: number[]) => {
      for (const iid of iids) await world.evaluated(project, iid, 'pipeline')
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

test('rules that were turned off enqueue every open merge request once, for withdrawals', async () => {
  const { sweep, world } = await settledWorld(many(3))
  await sweep()
  const policy = { mode: 'off' as const, includeFrom: [], newRuleLimit: 0 }
  const off = { ...world.context, rules: { ...rulesOf('repository', rule, { policy }), operatorVersion: 'off' } }
  const swept = async () => {
    world.pass(90)
    await sweepAll(off, world.now())
    return world.enqueued()
  }
  expect(await swept()).toHaveLength(3)
  expect(await swept()).toEqual([])
})
