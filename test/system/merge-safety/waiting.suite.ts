// A merge that the service itself waits with (`accept: { when: pipeline_succeeds }`).
import type { MergeWorld } from './world.ts'

export function waitingSuite(given: () => MergeWorld): void {
  const openRunning = async () => {
    const opened = await given().open('wait')
    await given().pipeline(opened.sha, opened.branch, 'running')
    await given().settle()
    expect((await given().mergeRequest(opened.iid)).merge_when_pipeline_succeeds).toBe(true)
    return opened
  }

  describe.sequential('a merge that the service waits with', () => {
    test('is asked for with the evaluated head, once, and is of that head', async () => {
      const world = given()
      const { iid, sha, branch } = await openRunning()
      await world.green(sha, branch)
      expect(world.accepts(iid)).toMatchObject([{ params: { sha, merge_when_pipeline_succeeds: true } }])
      world.expectMerged(iid, sha)
    })

    test('is never of a new head by the late success of the old one’s pipeline', async () => {
      const world = given()
      const { iid, sha, branch } = await openRunning()
      const newHead = await world.push(branch)
      await world.pipeline(newHead, branch, 'running')
      await world.settle()
      await world.green(sha, branch)
      await world.expectOpen(iid)
      await world.green(newHead, branch)
      expect(world.accepts(iid).map(({ params }) => params.sha)).toEqual([sha, newHead])
      world.expectMerged(iid, newHead)
    })

    test.each([
      ['another target branch', { target_branch: 'release' }],
      ['a label that forbids it', { add_labels: 'hold' }],
    ])('is cancelled by %s, so that the success that follows does not merge', async (_what, change) => {
      const world = given()
      const { iid, sha, branch } = await openRunning()
      await world.change(iid, change)
      await world.settle()
      expect((await world.mergeRequest(iid)).merge_when_pipeline_succeeds).toBe(false)
      await world.green(sha, branch)
      await world.expectOpen(iid)
    })

    test.each([
      ['and nothing else changes', false],
      ['and it is a draft meanwhile', true],
    ])('is cancelled where it would close an issue that its author may not read, %s', async (_what, isDraft) => {
      const world = given()
      const { iid, sha, branch } = await openRunning()
      const hidden = await world.hiddenIssue()
      if (isDraft) await world.change(iid, { title: 'Draft: wait' })
      await world.change(iid, { description: `Closes ${hidden}` })
      await world.settle()
      expect((await world.mergeRequest(iid)).merge_when_pipeline_succeeds).toBe(false)
      await world.green(sha, branch)
      await world.expectOpen(iid)
    })

    test('is cancelled also when its own answer was lost', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('wait')
      world.sandbox.faults.api({ endpoint: 'mergeRequests.accept', times: 1, do: 'lose_response' })
      await world.pipeline(sha, branch, 'running')
      await world.settle()
      expect(world.accepts(iid)).toMatchObject([{ applied: true, status: 'lost' }])
      await world.change(iid, { add_labels: 'hold' })
      await world.settle()
      await world.green(sha, branch)
      await world.expectOpen(iid)
    })

    test('is never asked for of a head that was pushed while the accept was under way', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('wait')
      world.before('mergeRequests.accept', async () => void (await world.push(branch)))
      await world.pipeline(sha, branch, 'running')
      await world.settle()
      expect(world.accepts(iid)).toMatchObject([{ status: 409, applied: false }])
      expect((await world.mergeRequest(iid)).merge_when_pipeline_succeeds).toBe(false)
      await world.green(sha, branch)
      await world.expectOpen(iid)
    })
  })
}
