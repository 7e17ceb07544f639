// A merge is of what its own pipeline ran on, in a project whose merge requests have pipelines of their own.
import { movePipeline } from '../../../src/sandbox/pipelines/pipelines.ts'
import { runChild, runDetached, runInFork, runMergedResult } from '../../sandbox/pipelines/run-pipeline.ts'
import { type MergeWorld, startMergeWorld } from './world.ts'

export function pipelinesSuite(queueUrl: () => string): void {
  let world: MergeWorld
  beforeAll(async () => {
    world = await startMergeWorld(queueUrl())
    // That the project has such pipelines is learned by reading alone, without their hooks.
    const { iid } = await world.open('approved')
    const back = world.sandbox.faults.hooks({ event: 'pipeline', do: 'drop' })
    await world.within(iid, (inside, mr) => runDetached(inside, mr, 'pending'))
    back()
    await world.change(iid, { title: 'Looked at' })
    await world.settle()
  })
  afterAll(() => world.end())

  /** The bot sees the merge request as another version of the service would answer it; gives what ends that. */
  const seenAs = (rewrite: (body: Record<string, unknown>) => Record<string, unknown>) =>
    world.sandbox.faults.api({
      endpoint: 'mergeRequests.get',
      caller: 'bellhop',
      do: { rewrite: (body) => rewrite(body as Record<string, unknown>) },
    })
  const move = async (iid: number, pipeline: { id: number }, status: string) => {
    await world.within(iid, (inside) => movePipeline(inside, pipeline.id, status))
    await world.settle()
  }

  test('a fast pipeline of the branch, green before the merge request’s own exists, does not merge', async () => {
    const { iid, sha, branch } = await world.open('merge')
    await world.green(sha, branch)
    expect(world.accepts(iid)).toEqual([])
    await world.expectOpen(iid)
    await world.within(iid, (inside, mr) => runDetached(inside, mr, 'success'))
    await world.settle()
    world.expectMerged(iid, sha)
  })

  describe('a child’s success', () => {
    test('does not merge while its parent runs', async () => {
      const { iid, sha } = await world.open('merge')
      const parent = await world.within(iid, async (inside, mr) => {
        const own = await runDetached(inside, mr, 'running')
        await runChild(inside, own, 'success')
        return own
      })
      await world.settle()
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
      await move(iid, parent, 'success')
      world.expectMerged(iid, sha)
    })

    test('does not merge where the service names it as the head pipeline, or names none and lists it first', async () => {
      const { iid } = await world.open('merge')
      let child: object | undefined
      const back = seenAs(({ head_pipeline, ...older }) => ({
        ...older,
        ...(child === undefined ? {} : { head_pipeline: child }),
      }))
      const { id, sha, ref, status, source } = await world.within(iid, async (inside, mr) =>
        runChild(inside, await runDetached(inside, mr, 'running'), 'success'),
      )
      await world.settle()
      expect(world.accepts(iid)).toEqual([])
      child = { id, sha, ref, status, source }
      await world.change(iid, { title: 'Looked at again' })
      await world.settle()
      back()
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
    })
  })

  describe('a pipeline of the merged result', () => {
    test('merges the head that its commit has for a parent, although it did not run on the head', async () => {
      const { iid, sha } = await world.open('merge')
      const own = await world.within(iid, (inside, mr) => runMergedResult(inside, mr, 'success'))
      expect(own.sha).not.toBe(sha)
      await world.settle()
      expect(world.accepts(iid)).toMatchObject([{ params: { sha }, applied: true }])
      world.expectMerged(iid, sha)
    })

    test('that was green for an earlier head does not merge the new one, even where the service still names it', async () => {
      const { iid, branch } = await world.open('merge')
      const own = await world.within(iid, (inside, mr) => runMergedResult(inside, mr, 'running'))
      const newHead = await world.push(branch)
      const back = seenAs((body) => ({ ...body, head_pipeline: { ...own, status: 'success' } }))
      await move(iid, own, 'success')
      back()
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
      await world.within(iid, (inside, mr) => runMergedResult(inside, mr, 'success'))
      await world.settle()
      world.expectMerged(iid, newHead)
    })

    test('that is run again between evaluating and accepting does not merge', async () => {
      const { iid, sha } = await world.open('merge')
      const own = await world.within(iid, (inside, mr) => runMergedResult(inside, mr, 'running'))
      await world.settle()
      world.beforeLastReading(() => world.within(iid, (inside) => movePipeline(inside, own.id, 'running')))
      await move(iid, own, 'success')
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
      await move(iid, own, 'success')
      world.expectMerged(iid, sha)
    })
  })

  describe('a green pipeline of the fork', () => {
    /** The fork tells Bellhop nothing: it looks because of something else. */
    const look = async (iid: number) => {
      await world.change(iid, { title: `Looked at !${iid}` })
      await world.settle()
    }
    let fork: Awaited<ReturnType<MergeWorld['fork']>>
    beforeAll(async () => {
      fork = await world.fork()
    })

    test.each(['merge', 'wait'] as const)(
      'merges nothing where a rule says %s, until a member runs one',
      async (rule) => {
        const { iid, sha, branch } = await fork.open(rule)
        // Who has a fork may post what they like there, and run what they like.
        await fork.green(sha, branch)
        await look(iid)
        await world.within(iid, (inside, mr) => runInFork(inside, mr, 'success'))
        await look(iid)
        await world.say(iid, '@bellhop why', world.people.alice)
        expect(world.accepts(iid)).toEqual([])
        await world.expectOpen(iid)
        const { body } = await world.service.mergeRequests.notes.list(world.ref(iid))
        expect(body.map((note) => note.body).join()).toMatch(/ran in the fork.*a member presses “Run pipeline”/s)
        await world.within(iid, (inside, mr) => runDetached(inside, mr, 'success'))
        await world.settle()
        world.expectMerged(iid, sha)
      },
    )

    test('merges where the rule says so, with what else it requires', async () => {
      const { iid, sha, branch } = await fork.open('open')
      await fork.green(sha, branch)
      await look(iid)
      await world.expectOpen(iid)
      await world.as(world.people.renovate).mergeRequests.approve(world.ref(iid))
      await world.settle()
      world.expectMerged(iid, sha)
    })
  })
}
