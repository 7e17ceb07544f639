// Who waits for the merge of another merge request, and that its delivery evaluates them.
import { randomUUID } from 'node:crypto'
import { enqueueDependants, storeDependants } from '../../../src/bot/dependencies/dependants.ts'
import type { MergeRequestRef } from '../../../src/rules/types.ts'
import { playService, service } from '../../client/world.ts'
import { answer, answers, input, mergeRequest } from '../../rules/world.ts'
import { makeEvaluation, mr, rule } from '../evaluation/evaluate-world.ts'
import { intakesOn } from '../intake/intake-world.ts'
import { testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

playService()
const stores = useStores()

/** What was read of a merge request that depends on others, in public projects. */
function waitingFor(ref: MergeRequestRef, awaited: readonly [project: number, iid: number, state?: string][]) {
  const public_ = { visibility: 'public', merge_requests_access_level: 'enabled' }
  const other = awaited.flatMap(([project_id, iid, state = 'opened']) => [
    [`dependency@g/p${project_id}!${iid}`, answer({ project_id, iid, state })] as const,
    [`otherProject@${project_id}`, answer({ id: project_id, ...public_ })] as const,
  ])
  const description = `Depends on ${awaited.map(([id, iid]) => `g/p${id}!${iid}`).join(' ')}`
  return input([], { mergeRequest: ref, answers: answers({ description }, Object.fromEntries(other)) })
}

function makeDependants() {
  const queues = testQueues(stores)
  const note = (project: number, iid: number, ...awaited: [project: number, iid: number, state?: string][]) =>
    storeDependants(stores.journal, waitingFor({ project, iid }, awaited))
  const enqueued = async () => {
    const jobs = await queues.mergeRequests.list(['waiting', 'prioritized'], 0, 200)
    return jobs.map(({ data: { project, iid } }) => `${project}!${iid}`).sort()
  }
  const context = testContext({ queues, journal: stores.journal })
  const comes = (kind: string, project: number, iid: number) =>
    enqueueDependants(context, { kind: `merge_request.${kind}`, project, iid })
  return { ...queues, note, enqueued, comes }
}

test('a merge evaluates those that wait for it, in its project and in others', async () => {
  const { note, comes, enqueued } = makeDependants()
  expect(await note(1, 7, [1, 2])).toBe(true)
  expect(await note(1, 7, [1, 2])).toBe(false)
  await note(55, 3, [1, 2], [1, 4, 'merged'])
  await note(1, 8, [55, 2])
  await note(1, 2, [1, 2])
  await comes('merge', 1, 4)
  expect(await enqueued()).toEqual([])
  await comes('merge', 1, 2)
  expect(await enqueued()).toEqual(['1!7', '55!3'])
})

test.each(['merge', 'close', 'reopen'])('%s evaluates them once, until they note themselves again', async (kind) => {
  const { note, comes, enqueued, mergeRequests } = makeDependants()
  await note(1, 7, [1, 2])
  await comes(kind, 1, 2)
  expect(await enqueued()).toEqual(['1!7'])
  const [job] = await mergeRequests.list(['waiting', 'prioritized'], 0, 1)
  expect(job?.data).toMatchObject({ project: 1, iid: 7 })
  expect(await note(1, 7, [1, 2])).toBe(true)
})

test('other events of it evaluate nobody', async () => {
  const { note, comes, enqueued } = makeDependants()
  await note(1, 7, [1, 2])
  for (const kind of ['update', 'approved', 'open']) await comes(kind, 1, 2)
  await comes('merge', 1, 3)
  await comes('merge', 2, 2)
  expect(await enqueued()).toEqual([])
})

test('no more than a hundred are noted', async () => {
  const { note, comes, enqueued } = makeDependants()
  for (let iid = 10; iid < 112; iid += 1) expect(await note(1, iid, [1, 2])).toBe(iid < 110)
  await comes('merge', 1, 2)
  expect(await enqueued()).toHaveLength(100)
})

const waits = rule('{ subscribe: true }', 'if: { dependencies_merged: true }')
const description = 'Depends on !2'
const one = (state: string) => ({ iid: 2, project_id: 1, state, description: null })

test('an evaluation notes what it waits for, and reads it once more, as its merge may have come in between', async () => {
  const world = await makeEvaluation(waits, { stores })
  const reads = (state: string, subscribed = false) => {
    service().get(mr).reply(200, mergeRequest({ description, subscribed }))
    service().get(`${mr}/blocks`).query(true).reply(404)
    service().get('/projects/1/merge_requests/2').reply(200, one(state))
  }
  reads('opened')
  reads('merged')
  service().post(`${mr}/subscribe`).reply(201, {})
  reads('merged', true)
  expect(await world.run()).toEqual({ outcome: 'done' })
  expect((await world.answers()).map(({ call }) => call.action)).toEqual(['subscribe'])
})

test('a delivery of its merge evaluates the one that was noted, in a project without rules of its own', async () => {
  const intake = intakesOn(stores)()
  await storeDependants(stores.journal, waitingFor({ project: 55, iid: 3 }, [[7, 2]]))
  const merged = { object_kind: 'merge_request', project: { id: 7 }, object_attributes: { iid: 2, action: 'merge' } }
  await intake.take(merged, `d-${randomUUID()}`)
  const jobs = await intake.mergeRequests.list(['waiting', 'prioritized'], 0, 9)
  expect(jobs.map(({ data }) => data)).toContainEqual({ project: 55, iid: 3 })
})
