// A project with merge trains: Bellhop adds to the train, never merges past it, and takes off what no rule requests.
import type { MergeWorld } from './world.ts'

export function trainsSuite(given: () => MergeWorld): void {
  const useTrains = async (enabled: boolean) => {
    const { project, service } = given()
    const { body } = await service.projects.get({ id: project })
    const trains = { merge_pipelines_enabled: enabled, merge_trains_enabled: enabled }
    await service.projects.update({ id: project, name: String(body.name), ...trains })
  }
  const added = (iid: number) =>
    given()
      .sandbox.calls()
      .filter((call) => call.endpoint === 'mergeTrains.add' && call.params.merge_request_iid === iid)

  describe.sequential('on a project with merge trains', () => {
    beforeAll(() => useTrains(true))
    afterAll(() => useTrains(false))

    test('a green merge request is added with the evaluated head, once, and merged by the train', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      await world.green(sha, branch)
      expect(added(iid)).toMatchObject([{ params: { sha }, status: 201 }])
      expect(world.accepts(iid)).toEqual([])
      world.expectMerged(iid, sha)
    })

    test('one that waits to be added is taken off by a label that forbids it', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('wait')
      await world.pipeline(sha, branch, 'running')
      await world.settle()
      expect(added(iid)).toMatchObject([{ params: { sha, auto_merge: true }, status: 202 }])
      expect((await world.mergeRequest(iid)).merge_when_pipeline_succeeds).toBe(true)
      await world.change(iid, { add_labels: 'hold' })
      await world.settle()
      expect((await world.mergeRequest(iid)).merge_when_pipeline_succeeds).toBe(false)
      await world.green(sha, branch)
      await world.expectOpen(iid)
    })
  })
}
