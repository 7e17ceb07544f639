// Merge trains of Premium: the merge requests of a target branch merge one after the other.
import { nextNumber } from '../../../src/sandbox/storage/world.ts'
import { type Json, openWorld, test, type World } from '../sandbox-world.ts'

const trains = { merge_pipelines_enabled: true, merge_trains_enabled: true }
const car = (iid = 1) => `/projects/1/merge_trains/merge_requests/${iid}`
const mr = (iid = 1) => `/projects/1/merge_requests/${iid}`
const state = async (world: World, iid = 1): Promise<string> => {
  await world.idle()
  return (await world.get(mr(iid))).state
}

/** A project with merge trains, and one merge request for each branch, each with one file. */
async function openTrain(branches: Record<string, string>, project: Record<string, unknown> = {}) {
  const world = await openWorld()
  const heads = await world.prepare(['train', branches, project], async (own) => {
    await own.project({ ...trains, ...project })
    const made: string[] = []
    for (const [branch, file] of Object.entries(branches)) {
      await own.write(branch, file, `${branch}\n`)
      made.push((await own.open(branch, `Add ${branch}`)).sha)
    }
    return made
  })
  return { world, heads }
}

test('a green one is added with 201, and merged from the train', async () => {
  const { world, heads } = await openTrain({ a: 'a.txt' })
  const sha = String(heads[0])
  await world.report(sha, 'success')
  const added = await world.call('POST', car(), { sha, squash: true })
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject([{ status: 'idle', target_branch: 'master', merge_request: { iid: 1 } }])
  expect(await state(world)).toBe('merged')
  expect(await world.get(car())).toMatchObject({ status: 'merged', merged_at: expect.any(String) })
  expect(await world.get(mr())).toMatchObject({ merge_when_pipeline_succeeds: false, squash: true })
})

test.each(['auto_merge', 'when_pipeline_succeeds'])(
  'with %s it is added with 202 when its checks pass',
  async (name) => {
    const { world, heads } = await openTrain({ a: 'a.txt' })
    const sha = String(heads[0])
    await world.report(sha, 'running')
    expect((await world.call('POST', car(), { sha })).status).toBe(400)
    const added = await world.call('POST', car(), { sha, [name]: true })
    expect([added.status, added.body]).toEqual([202, []])
    expect(await world.get(mr())).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
    expect(await world.status('GET', car())).toBe(404)
    await world.report(sha, 'success')
    expect(await state(world)).toBe('merged')
  },
)

/** Two on the train: the pipeline of the first one runs once more, the second one is green. */
async function openBusyTrain(files: Record<string, string> = { a: 'a.txt', b: 'b.txt' }) {
  const opened = await openTrain(files)
  const { world, heads } = opened
  const [first = '', second = ''] = heads
  await world.report(first, 'running')
  await world.report(second, 'success')
  await world.post(car(1), { sha: first, auto_merge: true })
  await world.sandbox.within(async (inside) => {
    const time = '2026-01-01T00:00:00.000Z'
    const car = { id: nextNumber(inside, 'train cars'), user_id: 1, created_at: time, updated_at: time }
    inside.mergeRequests.update(1, { train_car: { ...car, status: 'fresh', merged_at: null } })
  })
  const added = await world.call('POST', car(2), { sha: second })
  expect([added.status, added.body.map((each: Json) => each.merge_request.iid)]).toEqual([201, [1, 2]])
  return opened
}

test('one that has to wait holds up those behind it, until it merges', async () => {
  const { world, heads } = await openBusyTrain()
  expect([await state(world, 1), await state(world, 2)]).toEqual(['opened', 'opened'])
  expect(await world.get(car(2))).toMatchObject({ status: 'fresh', merged_at: null, duration: null })
  await world.report(String(heads[0]), 'success')
  expect([await state(world, 1), await state(world, 2)]).toEqual(['merged', 'merged'])
  expect((await world.get(car(1))).merged_at <= (await world.get(car(2))).merged_at).toBe(true)
})

test('a plain merge goes past the train, as on GitLab', async () => {
  const { world, heads } = await openBusyTrain()
  expect(await world.put(`${mr(2)}/merge`, { sha: heads[1] })).toMatchObject({ state: 'merged' })
  expect(await world.get(car(2))).toMatchObject({ status: 'skip_merged' })
  expect(await state(world, 1)).toBe('opened')
})

describe('a plain merge where trains are enforced', () => {
  test.each([
    ['allow_bypass', 'developer', 200],
    ['enforce_for_all_users', 'owner', 405],
    ['enforce_with_owner_override', 'developer', 405],
    ['enforce_with_owner_override', 'owner', 200],
  ])('with %s by a %s: %i', async (merge_train_enforcement, who, expected) => {
    const world = await openWorld()
    const { sha } = await world.mergeRequest({ project: { ...trains, merge_train_enforcement } })
    const developer = await world.member('dev', 30)
    expect((await world.get('/projects/1')).merge_train_enforcement).toBe(merge_train_enforcement)
    const caller = who === 'owner' ? world : developer
    expect(await caller.status('PUT', `${mr()}/merge`, { sha })).toBe(expected)
    if (expected === 405) expect(await caller.status('POST', car(), { sha })).toBe(201)
  })

  test('nobody who may not merge learns of it', async ({ world }) => {
    const enforced = { ...trains, merge_train_enforcement: 'enforce_for_all_users' }
    const { sha } = await world.mergeRequest({ project: enforced })
    const rita = await world.member('rita', 20)
    expect(await rita.status('PUT', `${mr()}/merge`, { sha })).toBe(401)
  })
})

test.each([
  ['running', 404],
  ['success', 200],
])('auto_merge of accept with a pipeline that is %s adds to the train when it succeeds', async (pipeline, onTrain) => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest({ project: trains })
  await world.report(sha, pipeline)
  expect(await world.status('PUT', `${mr()}/merge`, { sha, auto_merge: true })).toBe(200)
  expect(await world.status('GET', car())).toBe(onTrain)
  await world.report(sha, 'success')
  expect(await state(world)).toBe('merged')
  expect(await world.get(car())).toMatchObject({ status: 'merged' })
})

test('auto_merge of accept with a conflict is 405 on the train too', async ({ world }) => {
  await world.project(trains)
  await world.write('a', 'same.txt', 'a')
  const { sha } = await world.open('a', 'Add a')
  await world.write('master', 'same.txt', 'b')
  expect(await world.status('PUT', `${mr()}/merge`, { sha, auto_merge: true })).toBe(405)
})

test('what cannot be merged is not added', async () => {
  const { world, heads } = await openTrain({ a: 'a.txt' })
  const sha = String(heads[0])
  const guest = await world.member('guest', 10)
  const reporter = await world.member('reporter', 20)
  expect(await world.status('POST', car(), { sha: 'f'.repeat(40) })).toBe(409)
  expect(await reporter.status('POST', car(), { sha })).toBe(401)
  expect(await guest.status('POST', car(), { sha })).toBe(403)
  await world.put(mr(), { title: 'Draft: a' })
  expect(await world.status('POST', car(), { sha })).toBe(400)
  await world.put(mr(), { title: 'a', state_event: 'close' })
  expect(await world.status('POST', car(), { sha, auto_merge: true })).toBe(400)
})

test('a project without trains refuses, and shows the settings', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  expect(await world.get('/projects/1')).toMatchObject({ merge_trains_enabled: false })
  expect((await world.call('POST', car(), { sha })).status).toBe(400)
  expect(await world.status('GET', car())).toBe(404)
})

test('Free has no trains, and ignores the settings', async () => {
  const world = await openWorld({ tier: 'free' })
  const { sha } = await world.mergeRequest({ project: trains })
  expect(await world.get('/projects/1')).not.toHaveProperty('merge_trains_enabled')
  expect(await world.status('GET', car())).toBe(404)
  expect(await world.status('POST', car(), { sha })).toBe(404)
  expect(await world.put(`${mr()}/merge`, { sha })).toMatchObject({ state: 'merged' })
})

test('one that lacks an approval is added when it is approved', async ({ world }) => {
  const { sha } = await world.mergeRequest({ project: { ...trains, approvals_before_merge: 1 } })
  const ada = await world.member('ada', 30)
  await world.report(sha, 'success')
  expect((await world.call('POST', car(), { sha, auto_merge: true })).status).toBe(202)
  await ada.post(`${mr()}/approve`, {})
  expect(await state(world)).toBe('merged')
})
