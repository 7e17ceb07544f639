// Pipelines of merge trains: each runs on a merge of a head onto those before it, and decides whether that lands.
import { type NewScript, scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { type Json, openWorld, type World } from '../sandbox-world.ts'
import { createVirtualClock } from '../virtual-clock.ts'

const second = 1000
const trains = { merge_pipelines_enabled: true, merge_trains_enabled: true }
const car = (iid: number) => `/projects/1/merge_trains/merge_requests/${iid}`
const mr = (iid: number) => `/projects/1/merge_requests/${iid}`
const script = (branches: string, takes: number, more: Partial<NewScript> = {}): NewScript => ({
  ...{ branches, kind: 'merge_train', takes: takes * second, ends: ['success'], ...more },
})

/** On a project with trains and scripts: a merge request for each branch, all of them on the train. */
async function openTrain(branches: Record<string, string>, scripts: NewScript[], project: Json = {}) {
  const clock = createVirtualClock()
  const world = await openWorld({ clock })
  const useScripts = () => world.sandbox.within(async (inside) => scriptPipelines(inside, 1, scripts))
  const make = async (own: World) => {
    await own.project({ ...trains, ...project })
    // Others start pipelines as merge requests open.
    if (!onlyTrains) await useScripts()
    const heads: string[] = []
    for (const [branch, file] of Object.entries(branches)) {
      await own.write(branch, file, `${branch}\n`)
      heads.push((await own.open(branch, `Add ${branch}`)).sha)
    }
    return heads
  }
  const onlyTrains = scripts.every(({ kind }) => kind === 'merge_train')
  const heads = onlyTrains ? await world.prepare(['train', branches, project], make) : await make(world)
  if (onlyTrains) await useScripts()
  const seen: string[] = []
  await world.sandbox.within(async ({ mergeRequests }) =>
    mergeRequests.watch((id) => {
      const status = `${id} ${mergeRequests.get(id)?.train_car?.status ?? 'none'}`
      if (seen.findLast((each) => each.startsWith(`${id} `)) !== status) seen.push(status)
    }),
  )
  const pass = async (seconds: number) => {
    clock.advance(seconds * second)
    await world.idle()
  }
  const board = async (iid: number) => {
    const added = await world.call('POST', car(iid), { sha: heads[iid - 1] })
    expect(added.status).toBe(201)
    // The pipeline starts to be pending.
    await world.idle()
    await pass(0)
    return added.body
  }
  return {
    ...{ world, heads, pass, board },
    /** What was the state of one on the train. */
    statuses: (iid: number) => seen.filter((each) => each.startsWith(`${iid} `)).map((each) => each.split(' ')[1]),
    states: async () => Promise.all(heads.map(async (_, index) => (await world.get(mr(index + 1))).state)),
    pipeline: async (iid: number) => (await world.get(car(iid))).pipeline,
    parents: async (sha: string) => (await world.get(`/projects/1/repository/commits/${sha}`)).parent_ids,
    master: async () => (await world.get('/projects/1/repository/branches/master')).commit.id,
    notes: async (iid: number) => (await world.get(`${mr(iid)}/notes`)).map((note: Json) => [note.system, note.body]),
  }
}
const two = { a: 'a.txt', b: 'b.txt' }

test('its pipeline runs on a merge of the head onto the target, and merges it when it succeeds', async () => {
  const { world, heads, pass, board, statuses, pipeline, parents, master, states } = await openTrain({ a: 'a.txt' }, [
    script('*', 10),
  ])
  const hooks = await world.receiver({ pipeline_events: true })
  const target = await master()
  expect(await board(1)).toMatchObject([{ status: 'idle', pipeline: null }])
  const made = await pipeline(1)
  expect(made).toMatchObject({ ref: 'refs/merge-requests/1/train', source: 'merge_request_event', status: 'pending' })
  expect(await parents(made.sha)).toEqual([target, heads[0]])
  expect((await world.get(mr(1))).head_pipeline).toMatchObject({ id: made.id })
  expect(await world.get(car(1))).toMatchObject({ status: 'fresh', merge_request: { iid: 1 } })
  await pass(9)
  expect(await states()).toEqual(['opened'])
  await pass(1)
  expect(await states()).toEqual(['merged'])
  expect(await world.get(car(1))).toMatchObject({ status: 'merged', pipeline: { id: made.id, status: 'success' } })
  expect(statuses(1)).toEqual(['none', 'idle', 'fresh', 'merging', 'merged'])
  expect(await hooks.events()).toEqual(['pipeline pending', 'pipeline running', 'pipeline success'])
  const payload = hooks.received[0]?.payload
  expect([payload.merge_request.iid, payload.object_attributes.sha]).toEqual([1, made.sha])
})

test('the next one runs on those before it, lands after them, and is not made anew for that', async () => {
  const { heads, pass, board, statuses, pipeline, parents, states } = await openTrain(two, [
    script('a', 10),
    script('b', 2),
  ])
  await board(1)
  await board(2)
  const made = await pipeline(2)
  expect(await parents(made.sha)).toEqual([(await pipeline(1)).sha, heads[1]])
  await pass(2)
  expect([await pipeline(2), await states()]).toMatchObject([{ status: 'success' }, ['opened', 'opened']])
  await pass(8)
  expect(await states()).toEqual(['merged', 'merged'])
  expect(statuses(2)).toEqual(['none', 'idle', 'fresh', 'merging', 'merged'])
  expect((await pipeline(2)).id).toBe(made.id)
})

test.each(['failed', 'skipped'] as const)(
  'one whose pipeline is %s leaves with a note, and those behind it are made anew',
  async (end) => {
    const { world, heads, pass, board, pipeline, parents, master, states, notes } = await openTrain(
      { ...two, c: 'c.txt' },
      [script('a', 1, { ends: [end] }), script('*', 10)],
    )
    const target = await master()
    for (const iid of [1, 2, 3]) await board(iid)
    // A skipped one has left before the next one came.
    const old = end === 'skipped' ? [] : [(await pipeline(2)).id, (await pipeline(3)).id]
    await pass(1)
    expect(await world.get(mr(1))).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false })
    expect(await world.status('GET', car(1))).toBe(404)
    expect(await notes(1)).toEqual([[true, 'took this off the merge train: its pipeline did not succeed']])
    expect(await parents((await pipeline(2)).sha)).toEqual([target, heads[1]])
    expect(await parents((await pipeline(3)).sha)).toEqual([(await pipeline(2)).sha, heads[2]])
    for (const id of old) expect(await world.get(`/projects/1/pipelines/${id}`)).toMatchObject({ status: 'canceled' })
    await pass(10)
    expect(await states()).toEqual(['opened', 'merged', 'merged'])
  },
)

describe('a train is made anew', () => {
  test.each<[string, (world: World) => Promise<unknown>]>([
    ['the first one is cancelled', (world) => world.post(`${mr(1)}/cancel_merge_when_pipeline_succeeds`)],
    ['the first one gets another target', (world) => world.put(mr(1), { target_branch: 'other' })],
    ['the first one gets a new head', (world) => world.write('a', 'more.txt', 'more')],
    ['the first one becomes a draft', (world) => world.put(mr(1), { title: 'Draft: a' })],
  ])('when %s: its own pipeline is canceled', async (_, leave) => {
    const { world, heads, pass, board, pipeline, parents, master, states, statuses } = await openTrain(two, [
      script('*', 10),
    ])
    await world.post('/projects/1/repository/branches', { branch: 'other', ref: 'master' })
    await board(1)
    await board(2)
    const left = await pipeline(1)
    await leave(world)
    await pass(0)
    expect(await world.get(`/projects/1/pipelines/${left.id}`)).toMatchObject({ status: 'canceled' })
    expect(await world.status('GET', car(1))).toBe(404)
    expect(await parents((await pipeline(2)).sha)).toEqual([await master(), heads[1]])
    await pass(10)
    expect((await states())[1]).toBe('merged')
    expect(statuses(2)).toEqual(['none', 'idle', 'fresh', 'merging', 'merged'])
    expect(await world.get(mr(1))).toMatchObject({ merge_when_pipeline_succeeds: false })
  })

  test.each<[string, (world: World, head: string) => Promise<unknown>]>([
    ['the target moves by a push', (world) => world.write('master', 'c.txt', 'c')],
    ['one goes past it', (world, sha) => world.put(`${mr(3)}/merge`, { sha })],
  ])('when %s: all of it', async (_, move) => {
    const { world, heads, pass, board, pipeline, parents, master, states } = await openTrain({ ...two, c: 'c.txt' }, [
      script('*', 10),
    ])
    await board(1)
    await board(2)
    const before = [(await pipeline(1)).id, (await pipeline(2)).id]
    await pass(5)
    await move(world, String(heads[2]))
    await pass(0)
    const after = [await pipeline(1), await pipeline(2)]
    expect(await parents(after[0].sha)).toEqual([await master(), heads[0]])
    expect(await parents(after[1].sha)).toEqual([after[0].sha, heads[1]])
    for (const id of before)
      expect(await world.get(`/projects/1/pipelines/${id}`)).toMatchObject({ status: 'canceled' })
    await pass(5)
    expect((await states()).slice(0, 2)).toEqual(['opened', 'opened'])
    await pass(5)
    expect((await states()).slice(0, 2)).toEqual(['merged', 'merged'])
  })
})

test('one whose commits are pushed to the target is merged by that, and on no train any more', async () => {
  const { world, heads, pass, board, pipeline, parents, states } = await openTrain(two, [script('*', 10)])
  await board(1)
  await board(2)
  const left = await pipeline(1)
  const clone = await world.clone('root/app')
  await world.checkout(clone, 'a')
  await world.push(clone, 'HEAD:master')
  await pass(0)
  expect(await states()).toEqual(['merged', 'opened'])
  expect(await world.status('GET', car(1))).toBe(404)
  expect(await world.get(`/projects/1/pipelines/${left.id}`)).toMatchObject({ status: 'canceled' })
  expect(await parents((await pipeline(2)).sha)).toEqual([heads[0], heads[1]])
})

test.each([
  ['ff', 1],
  ['rebase_merge', 2],
] as const)(
  'where the project’s merge_method is %s, each is rebased as it lands, and those behind it are not made anew',
  async (merge_method, parentCount) => {
    const { world, pass, board, pipeline, parents, master, states } = await openTrain(two, [script('*', 10)], {
      merge_method,
    })
    await world.write('master', 'c.txt', 'c')
    const target = await master()
    expect((await world.get(mr(1))).detailed_merge_status).toBe('need_rebase')
    await board(1)
    await pass(5)
    await board(2)
    const made = await pipeline(2)
    await pass(5)
    expect(await states()).toEqual(['merged', 'opened'])
    const landed = await master()
    expect((await parents(landed))[0]).toBe(target)
    await pass(5)
    expect([await states(), (await pipeline(2)).id]).toEqual([['merged', 'merged'], made.id])
    expect(await parents(await master())).toHaveLength(parentCount)
    expect((await parents(await master()))[0]).toBe(landed)
  },
)

test('one that lacks an approval at its turn leaves', async () => {
  const { world, pass, board, states, notes } = await openTrain({ a: 'a.txt' }, [script('*', 10)])
  await board(1)
  await world.put('/projects/1', { approvals_before_merge: 1 })
  await pass(10)
  expect(await states()).toEqual(['opened'])
  expect(await notes(1)).toEqual([[true, 'took this off the merge train: its merge is not allowed']])
})

test('one that conflicts with those before it leaves before any pipeline', async () => {
  const { world, board, notes } = await openTrain({ a: 'same.txt', b: 'same.txt' }, [script('*', 10)])
  await board(1)
  await board(2)
  expect(await world.status('GET', car(2))).toBe(404)
  expect(await notes(2)).toEqual([
    [true, 'took this off the merge train: it does not merge cleanly with those before it'],
  ])
  expect(await world.get(car(1))).toMatchObject({ status: 'fresh' })
})

test('two that break each other are red together: the second one leaves', async () => {
  const { pass, board, states } = await openTrain(two, [script('*', 10, { breaks_with: Object.values(two) })])
  await board(1)
  await board(2)
  await pass(10)
  expect(await states()).toEqual(['merged', 'opened'])
})

describe('the script', () => {
  test('of kind merge_train starts nothing before the train', async () => {
    const { world } = await openTrain({ a: 'a.txt' }, [script('*', 1)])
    expect(await world.get(`${mr(1)}/pipelines`)).toEqual([])
  })

  test.each(['merge_request'] as const)('of kind %s counts without one of merge_train', async (kind) => {
    const { pass, board, pipeline, states } = await openTrain({ a: 'a.txt' }, [script('*', 10, { kind })])
    await pass(10)
    await board(1)
    expect(await pipeline(1)).toMatchObject({ ref: 'refs/merge-requests/1/train', status: 'pending' })
    await pass(10)
    expect(await states()).toEqual(['merged'])
  })

  test('of kind merge_train goes before those, in any order', async () => {
    const { pass, board, states } = await openTrain({ a: 'a.txt' }, [
      script('*', 1, { kind: 'merge_request', ends: ['success', 'failed'] }),
      script('*', 1),
    ])
    await pass(1)
    await board(1)
    await pass(1)
    expect(await states()).toEqual(['merged'])
  })

  test('is not there: the pipeline of the head counts', async () => {
    const { world, pass, board, states } = await openTrain({ a: 'a.txt' }, [script('*', 1, { kind: 'branch' })])
    await pass(1)
    await board(1)
    expect(await states()).toEqual(['merged'])
    expect(await world.get(car(1))).toMatchObject({ pipeline: { ref: 'a', status: 'success' } })
  })
})

test('one that left by a failure is added again only after another pipeline of its head succeeded', async () => {
  const { world, heads, pass, board, states } = await openTrain({ a: 'a.txt' }, [
    script('*', 1, { ends: ['failed', 'success'] }),
    script('*', 1, { kind: 'merge_request' }),
  ])
  await pass(1)
  await board(1)
  await pass(1)
  expect(await world.status('POST', car(1), { sha: heads[0] })).toBe(400)
  await world.post(`${mr(1)}/pipelines`)
  await pass(1)
  await board(1)
  await pass(1)
  expect(await states()).toEqual(['merged'])
})
