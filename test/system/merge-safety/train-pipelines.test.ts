// Merge trains with pipelines of their own: Bellhop hands over, leaves a running train alone, and does not add again what failed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NewScript, scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: merge, if: { author: alice, pipeline: success }, then: { accept: true } }
`

// The pipelines of heads are of branches, or of merge requests.
describe.each(['branch', 'merge_request'] as const)('where heads have a pipeline of their %s', (kind) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules })
    const { project: id, service } = world
    const { name = '' } = (await service.projects.get({ id })).body
    const trains = { merge_pipelines_enabled: true, merge_trains_enabled: true }
    await service.projects.update({ id, name, ...trains, only_allow_merge_if_pipeline_succeeds: true })
  })
  afterAll(() => world.end())

  const setScripts = async (takes: number, ends: NewScript['ends'], more: NewScript[] = []) =>
    world.sandbox.within(async (inside) =>
      scriptPipelines(inside, world.project, [
        ...more,
        { branches: '*', kind: 'merge_train', takes, ends },
        { branches: '*', kind, takes: 0, ends: ['success'] },
      ]),
    )
  /** What the service answered to calls of Bellhop. */
  const statuses = (iid: number, endpoint: string) =>
    world.sandbox
      .calls()
      .filter((call) => call.endpoint === endpoint && call.params.merge_request_iid === iid)
      .map(({ status }) => status)
  const state = async (iid: number) => (await world.mergeRequest(iid)).state
  const car = async (iid: number) => (await world.service.mergeTrains.get(world.ref(iid))).body
  const onTrain = (iid: number) => expect.poll(() => car(iid).catch(() => undefined)).toMatchObject({ status: 'fresh' })
  const leftTrain = (iid: number) =>
    expect
      .poll(async () => (await world.mergeRequest(iid)).merge_when_pipeline_succeeds, { timeout: 20_000 })
      .toBe(false)
  const pipelineFact = async (iid: number) => JSON.stringify((await world.decisions(iid))[0])

  test('one whose train pipeline succeeds is added once, left alone, and seen merged', async () => {
    await setScripts(3000, ['success'])
    const { iid, sha } = await world.open(`Succeeds ${kind}`)
    await onTrain(iid)
    expect((await car(iid)).pipeline?.ref).toBe(`refs/merge-requests/${iid}/train`)
    // An event in between changes nothing.
    await world.say(iid, 'Waiting for the train.')
    expect(await state(iid)).toBe('opened')
    await expect.poll(() => state(iid), { timeout: 20_000 }).toBe('merged')
    await world.settle()
    expect(statuses(iid, 'mergeTrains.add')).toEqual([201])
    expect(statuses(iid, 'mergeRequests.accept')).toEqual([])
    expect(statuses(iid, 'mergeRequests.cancelMergeWhenPipelineSucceeds')).toEqual([])
    expect(world.sandbox.merges().filter(({ mergeRequest }) => mergeRequest.iid === iid)).toMatchObject([
      { mergeRequest: { sha } },
    ])
    expect(await pipelineFact(iid)).toMatch(/merged/)
  })

  test('one whose train pipeline fails is not added again for this head, which its decision says', async () => {
    await setScripts(500, ['failed', 'success'])
    const { iid, branch } = await world.open(`Fails ${kind}`)
    await expect.poll(() => statuses(iid, 'mergeTrains.add')).toEqual([201])
    await leftTrain(iid)
    await world.settle()
    await world.say(iid, 'What now?')
    await world.update(iid, { add_labels: 'looked-at' })
    expect(statuses(iid, 'mergeTrains.add')).toEqual([201])
    expect(await state(iid)).toBe('opened')
    expect(await pipelineFact(iid)).toMatch(/"failed"/)
    const notes = (await world.service.mergeRequests.notes.list(world.ref(iid))).body
    expect(notes.map(({ body }) => body)).toContain('took this off the merge train: its pipeline did not succeed')
    // A new head is another matter.
    await world.clone.push({ as: world.people.alice, branch, files: { 'more.txt': 'more' }, message: 'More' })
    await expect.poll(() => state(iid), { timeout: 20_000 }).toBe('merged')
    expect(statuses(iid, 'mergeTrains.add')).toEqual([201, 201])
  })

  test('one behind a failed one is made anew by the service alone', async () => {
    const failing = `fails-first-${kind}`
    await setScripts(3000, ['success'], [{ branches: failing, kind: 'merge_train', takes: 1500, ends: ['failed'] }])
    const first = await world.open('First', { branch: failing })
    const second = await world.open('Second', { branch: `second-${kind}` })
    await onTrain(first.iid)
    await onTrain(second.iid)
    const before = (await car(second.iid)).pipeline?.id
    await leftTrain(first.iid)
    await expect.poll(async () => (await car(second.iid)).pipeline?.id).not.toBe(before)
    await expect.poll(() => state(second.iid), { timeout: 20_000 }).toBe('merged')
    await world.settle()
    expect(await state(first.iid)).toBe('opened')
    for (const { iid } of [first, second]) {
      expect(statuses(iid, 'mergeTrains.add')).toEqual([201])
      expect(statuses(iid, 'mergeRequests.accept')).toEqual([])
    }
    expect(statuses(second.iid, 'mergeRequests.cancelMergeWhenPipelineSucceeds')).toEqual([])
  })
})
