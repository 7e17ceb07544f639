// Trains with pipelines: Bellhop hands over, lets them run, does not re-add failures. On Redis, the quicker backend.
import { movePipeline } from '../../../src/sandbox/pipelines/pipelines.ts'
import { scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: merge, if: { author: alice, pipeline: success }, then: { accept: true } }
  - { name: needs no pipeline, if: { labels: { any: free } }, then: { accept: { pipeline: none } } }
`

const poll = <T>(read: () => T) => expect.poll(read, { interval: 200 })

onRedis((url) => {
  // The pipelines of heads are of branches, or of merge requests.
  describe.each(['branch', 'merge_request'] as const)('where heads have a pipeline of their %s', (kind) => {
    let world: TestWorld
    beforeAll(async () => {
      world = await startTestWorld({ rules, queueUrl: url() })
      await set({
        merge_pipelines_enabled: true,
        merge_trains_enabled: true,
        only_allow_merge_if_pipeline_succeeds: true,
      })
      // Those of trains end when a test says so.
      const scripts = [
        { branches: '*', kind: 'merge_train' as const, takes: 3_600_000, ends: ['success' as const] },
        { branches: '*', kind, takes: 0, ends: ['success' as const] },
      ]
      await world.sandbox.within(async (inside) => scriptPipelines(inside, world.project, scripts))
    })
    afterAll(() => world.end())

    const set = async (settings: object) => {
      const { project: id, service } = world
      const { name = '' } = (await service.projects.get({ id })).body
      await service.projects.update({ id, name, ...settings })
    }
    /** What the service answered to calls of Bellhop. */
    const statuses = (iid: number, endpoint: string) =>
      world.sandbox
        .calls()
        .filter((call) => call.endpoint === endpoint && call.params.merge_request_iid === iid)
        .map(({ status }) => status)
    const state = async (iid: number) => (await world.mergeRequest(iid)).state
    const car = async (iid: number) => (await world.service.mergeTrains.get(world.ref(iid))).body
    const onTrain = (iid: number) => poll(() => car(iid).catch(() => undefined)).toMatchObject({ status: 'fresh' })
    /** Its pipeline on the train ends. */
    const end = async (iid: number, status: string) => {
      const id = known((await car(iid)).pipeline?.id)
      await world.sandbox.within((inside) =>
        inside.serialise(`project ${world.project}`, () => movePipeline(inside, id, status)),
      )
    }
    const leftTrain = (iid: number) =>
      poll(async () => (await world.mergeRequest(iid)).merge_when_pipeline_succeeds).toBe(false)
    const pipelineFact = async (iid: number) => JSON.stringify((await world.decisions(iid))[0])

    test('one whose train pipeline succeeds is added once, left alone, and seen merged', async () => {
      const { iid, sha } = await world.open(`Succeeds ${kind}`)
      await onTrain(iid)
      expect((await car(iid)).pipeline?.ref).toBe(`refs/merge-requests/${iid}/train`)
      // An event in between changes nothing.
      await world.say(iid, 'Waiting for the train.')
      expect(await state(iid)).toBe('opened')
      await end(iid, 'success')
      await poll(() => state(iid)).toBe('merged')
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
      const { iid, branch } = await world.open(`Fails ${kind}`)
      await onTrain(iid)
      await end(iid, 'failed')
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
      await onTrain(iid)
      await end(iid, 'success')
      await poll(() => state(iid)).toBe('merged')
      expect(statuses(iid, 'mergeTrains.add')).toEqual([201, 201])
    })

    // What follows is the same for both.
    if (kind === 'merge_request') return

    test('one behind a failed one is made anew by the service alone', async () => {
      const first = await world.open('First')
      const second = await world.open('Second')
      await onTrain(first.iid)
      await onTrain(second.iid)
      const before = (await car(second.iid)).pipeline?.id
      await end(first.iid, 'failed')
      await leftTrain(first.iid)
      await poll(async () => (await car(second.iid)).pipeline?.id).not.toBe(before)
      await world.settle()
      await end(second.iid, 'success')
      await poll(() => state(second.iid)).toBe('merged')
      await world.settle()
      expect(await state(first.iid)).toBe('opened')
      for (const { iid } of [first, second]) {
        expect(statuses(iid, 'mergeTrains.add')).toEqual([201])
        expect(statuses(iid, 'mergeRequests.accept')).toEqual([])
      }
      expect(statuses(second.iid, 'mergeRequests.cancelMergeWhenPipelineSucceeds')).toEqual([])
    })

    test('one whose rule needs no pipeline is not added without end', async () => {
      await set({ only_allow_merge_if_pipeline_succeeds: false })
      const { iid } = await world.open('Needs none')
      await onTrain(iid)
      await world.update(iid, { add_labels: 'free' })
      await end(iid, 'failed')
      await leftTrain(iid)
      await poll(() => pipelineFact(iid)).toMatch(/the merge train did not keep this head/)
      await world.say(iid, 'What now?')
      // The sandbox refuses it while the failed pipeline is the newest of its head.
      expect(statuses(iid, 'mergeTrains.add')).toEqual([201, 400, 400])
      expect(await state(iid)).toBe('opened')
    })

    test('on a project that rebases, one that is behind the target is added, keeps its place, and lands', async () => {
      await set({ merge_method: 'ff', only_allow_merge_if_pipeline_succeeds: true })
      const behind = await world.open('Is behind', { as: world.people.renovate })
      const first = await world.open('Is rebased')
      await onTrain(first.iid)
      await end(first.iid, 'success')
      await poll(() => state(first.iid)).toBe('merged')
      // The service checks again only after the push to the target is announced.
      await poll(async () => (await world.mergeRequest(behind.iid)).detailed_merge_status).toBe('need_rebase')
      await world.update(behind.iid, { add_labels: 'free' })
      await onTrain(behind.iid)
      await world.say(behind.iid, 'Waiting for the train.')
      await end(behind.iid, 'success')
      await poll(() => state(behind.iid)).toBe('merged')
      expect(statuses(behind.iid, 'mergeTrains.add')).toEqual([201])
      expect(statuses(behind.iid, 'mergeRequests.cancelMergeWhenPipelineSucceeds')).toEqual([])
    })
  })
})
