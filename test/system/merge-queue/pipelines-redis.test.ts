// Which pipelines count for a build, and builds without one; with real git. On Redis only (backend-independent).
import { addPipeline, movePipeline } from '../../../src/sandbox/pipelines/pipelines.ts'
import { scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known } from '../world.ts'
import { type QueueWorld, shareQueueWorld } from './queue-world.ts'

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))

  describe('one whose own pipeline the project ran', () => {
    /** Opens !1, whose pipeline has this source and is green. */
    async function openWith(source: 'push' | 'api', before: (queue: QueueWorld) => Promise<unknown> = async () => {}) {
      const queue = await start()
      const { project, sandbox } = queue
      const { iid, sha } = await queue.openMergeRequest({ branch: 'one' })
      await before(queue)
      await sandbox.within(async (world) => {
        const by = known(world.users.get(1))
        const { id } = addPipeline(world, by, { project_id: project, sha, ref: 'one', source })
        await movePipeline(world, id, 'success')
      })
      await queue.settle()
      return { queue, iid }
    }

    test('on top of the target’s head lands without a second test, and what follows is built on it', async () => {
      const { queue, iid } = await openWith('push')
      expect([await queue.stateOf(iid), await queue.branches(), await queue.pausedBy()]).toEqual([
        'merged',
        [],
        undefined,
      ])
      const two = await queue.enter('two')
      await queue.reportAll()
      expect(await queue.stateOf(two.iid)).toBe('merged')
    })

    test.each<[string, Parameters<typeof openWith>]>([
      ['where the target has moved', ['push', (queue) => queue.pushToTarget()]],
      ['where somebody started it by the API', ['api']],
    ])('is tested %s', async (_where, given) => {
      const { queue, iid } = await openWith(...given)
      expect([await queue.stateOf(iid), await queue.numbers()]).toEqual(['opened', [1]])
    })
  })

  test('a red pipeline of the project runs its failed jobs again, and needs no other build', async () => {
    const queue = await start()
    const script = { branches: 'bellhop/queue/*', kind: 'branch' as const, takes: 10 }
    await queue.sandbox.within(async (world) =>
      scriptPipelines(world, queue.project, [{ ...script, ends: ['failed', 'success'] }]),
    )
    const one = await queue.enter('one')
    await eventually(async () => expect(await queue.stateOf(one.iid)).toBe('merged'), 60)
    expect([queue.sent('repository.pipelines.retry'), (await queue.made()).length]).toEqual([1, 1])
  })

  describe('a success lands nothing', () => {
    test('that comes late, from the pipeline of a build that was replaced', async () => {
      const queue = await start()
      const one = await queue.enter('one')
      const old = known((await queue.builds())[1])
      await queue.pipeline(old, await queue.branchOf(1), 'running')
      await queue.pushToTarget()
      await queue.settle()
      await queue.pipeline(old, await queue.branchOf(1), 'success')
      await queue.settle()
      expect([await queue.stateOf(one.iid), await queue.numbers()]).toEqual(['opened', [2]])
      await queue.report(2, 'success')
      expect(await queue.stateOf(one.iid)).toBe('merged')
    })

    test('of the same commit and branch, which somebody started by the API', async () => {
      const queue = await start()
      const one = await queue.enter('one')
      await queue.report(1, 'running')
      const { project: id, service } = queue
      const of = { id, sha: known((await queue.builds())[1]), ref: await queue.branchOf(1) }
      const [first] = (await service.repository.pipelines.list(of)).body
      await queue.sandbox.within(async (world) => {
        const by = known(world.users.get(1))
        const { id: made } = addPipeline(world, by, { project_id: id, sha: of.sha, ref: of.ref, source: 'api' })
        await movePipeline(world, made, 'success')
      })
      await queue.settle()
      expect(await queue.stateOf(one.iid)).toBe('opened')
      // Without its id, the status would be part of the newer pipeline.
      await service.repository.statuses.create({ ...of, state: 'success', name: 'ci', pipeline_id: known(first?.id) })
      await queue.settle()
      expect(await queue.stateOf(one.iid)).toBe('merged')
    })

    test('while the API still says that it runs', async () => {
      const queue = await start()
      const one = await queue.enter('one')
      const rewrite = (body: unknown) => {
        const { items, ...page } = body as { items: object[] }
        return { ...page, items: items.map((each) => ({ ...each, status: 'running' })) }
      }
      const heal = queue.sandbox.faults.api({ endpoint: 'repository.pipelines.list', do: { rewrite } })
      await queue.report(1, 'success')
      expect(await queue.stateOf(one.iid)).toBe('opened')
      heal()
      await queue.after(5)
      expect(await queue.stateOf(one.iid)).toBe('merged')
    })

    test('that is taken back in the last second', async () => {
      const queue = await start()
      const one = await queue.enter('one')
      const sha = known((await queue.builds())[1])
      queue.before('repository.pipelines.get', async () => queue.pipeline(sha, await queue.branchOf(1), 'running'))
      await queue.report(1, 'success')
      expect([await queue.stateOf(one.iid), await queue.numbers()]).toEqual(['opened', [1]])
      await queue.report(1, 'success')
      expect(await queue.stateOf(one.iid)).toBe('merged')
    })
  })

  describe('a pipeline that is skipped', () => {
    const ci = (queue: QueueWorld, ...ends: ('success' | 'skipped')[]) =>
      queue.sandbox.within(async (inside) =>
        scriptPipelines(inside, queue.project, [{ branches: 'bellhop/queue/*', kind: 'branch', takes: 0, ends }]),
      )
    /** Whoever writes the last commit asks for it, in a project that keeps commits as they are. */
    async function enterSkipping(queue: QueueWorld) {
      await queue.changeProject({ merge_method: 'ff' })
      return queue.enter('one', { 'one.txt': 'one' }, { title: 'Add one [CI skip]' })
    }

    test('by a commit message is run by Bellhop, whose pipeline counts', async () => {
      const queue = await start({ queue: 'land: push' })
      await ci(queue, 'success')
      const one = await enterSkipping(queue)
      await eventually(async () => expect(await queue.stateOf(one.iid)).toBe('merged'))
      expect(queue.sent('repository.pipelines.create')).toBe(1)
    })

    test('is green where the project says so', async () => {
      const queue = await start()
      await ci(queue, 'skipped')
      await queue.changeProject({ allow_merge_on_skipped_pipeline: true })
      const one = await queue.enter('one')
      await eventually(async () => expect(await queue.stateOf(one.iid)).toBe('merged'))
      expect(queue.sent('repository.pipelines.create')).toBe(0)
    })
  })

  /** A Developer. */
  const post = async (queue: QueueWorld, build: number, name = 'ci') => {
    const of = { id: queue.project, sha: known((await queue.builds())[build]), ref: await queue.branchOf(build) }
    await queue.as(queue.people.alice).repository.statuses.create({ ...of, state: 'success', name })
    await queue.settle()
  }
  const report = async (queue: QueueWorld, build: number, name: string) => {
    const of = { id: queue.project, sha: known((await queue.builds())[build]), ref: await queue.branchOf(build) }
    for (const state of ['running', 'success'] as const)
      await queue.service.repository.statuses.create({ ...of, state, name })
    await queue.settle()
  }

  test('a status that somebody posts before the CI reports lands nothing alone where an outside CI sets several, nor do all of them by another user', async () => {
    const queue = await start()
    const landed = await queue.enter('one')
    await report(queue, 1, 'lint')
    // A first landing needs what the head had, which is its own status.
    expect(await queue.stateOf(landed.iid)).toBe('opened')
    await report(queue, 1, 'ci')
    const two = await queue.enter('two')
    const [build = 0] = await queue.numbers()
    await post(queue, build, 'lint')
    await post(queue, build, 'ci')
    await report(queue, build, 'lint')
    expect(await queue.states(landed, two)).toEqual(['merged', 'opened'])
    await report(queue, build, 'ci')
    expect(await queue.stateOf(two.iid)).toBe('merged')
  })
})
