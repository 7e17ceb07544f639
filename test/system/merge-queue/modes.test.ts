// The merge queue in unusual kinds of projects; with real git. On Redis only (backend-independent).
import { scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known } from '../world.ts'
import { type QueueWorld, shareQueueWorld } from './queue-world.ts'

const onRequest = `version: 1
queues: [{ name: main, target: master, test: rebase, retries: 0 }]
rules: [{ name: queue on request, command: queue, then: { accept: { queue: main } } }]
`
onRedis((url) => {
  const inNewProject = shareQueueWorld(() => ({ queueUrl: url() }))

  async function start(queue: string): Promise<QueueWorld> {
    const world = await inNewProject({ queue })
    await world.changeProject({ merge_method: 'ff' })
    return world
  }

  test('a fast-forward project with land: push: what was rebased and tested lands, and counts as merged where the service sees it', async () => {
    const queue = await start('land: push')
    const one = await queue.enter('one')
    const two = await queue.enter('two')
    const tested = known((await queue.builds())[2])
    await queue.report(1, 'success')
    expect([await queue.target(), await queue.stateOf(one.iid)]).toEqual([one.sha, 'merged'])
    await queue.report(2, 'success')
    expect(await queue.target()).toBe(tested)
    expect([await queue.stateOf(two.iid), (await queue.record())?.paused]).toEqual(['closed', undefined])
    expect((await queue.notes(two.iid)).join()).toContain(`landed it rebased: ${tested} is the last commit`)
    const { body } = await queue.service.repository.commits.list({ id: queue.project, ref_name: 'master' })
    expect(body.filter(({ parent_ids }) => known(parent_ids).length > 1)).toEqual([])
  })

  describe('test: rebase', () => {
    const queue = 'test: rebase\nretries: 0'

    /** The pipeline of the rebased head, and all settles. */
    async function reportOwn(world: QueueWorld, { iid, branch }: Entered, state: 'success' | 'failed') {
      const { sha } = await world.mergeRequest(iid)
      await world.pipeline(known(sha), branch, state)
      await world.settle()
      return known(sha)
    }
    type Entered = Awaited<ReturnType<QueueWorld['enter']>>

    /** All from the same commit of the target. */
    async function openGreen(world: QueueWorld, branches: string[]): Promise<[Entered, Entered]> {
      const opened: Entered[] = []
      for (const branch of branches) opened.push(await world.openMergeRequest({ branch }))
      for (const { sha, branch } of opened) {
        await world.pipeline(sha, branch, 'success')
        // Which of two enters first is not certain where both are green at once.
        await world.settle()
      }
      return [known(opened[0]), known(opened[1])]
    }

    test('the project begins to rebase automatically while it is tested: the queue pauses, and removes nobody', async () => {
      // Older ones do not say so.
      const world = await start(queue)
      const { project, sandbox } = world
      const opened = [await world.open('one'), await world.open('two')] as const
      await world.pushToTarget()
      for (const { sha, branch } of opened) {
        await world.pipeline(sha, branch, 'success')
        await world.settle()
      }
      await sandbox.within(async (inside) => inside.projects.update(project, { automatic_rebase_enabled: true }))
      await reportOwn(world, opened[0], 'success')
      const entries = opened.map(({ iid }) => iid)
      const states = ['opened', 'opened']
      expect(await world.seen(...opened)).toEqual({ states, entries, pausedBy: 'automatic_rebase' })
      expect(world.sent('mergeRequests.accept')).toBe(0)
    })

    test('a request by a command follows the rebase of the queue, but no push of somebody else', async () => {
      const world = await inNewProject(onRequest)
      const { clone, people } = world
      const [one, two] = await openGreen(world, ['one', 'two'])
      await clone.push({ as: people.renovate, branch: 'master', files: { 'other.txt': 'other' }, message: 'Other' })
      await world.say(one.iid, '@bellhop queue', people.renovate)
      await reportOwn(world, one, 'success')
      expect(await world.stateOf(one.iid)).toBe('merged')
      await world.say(two.iid, '@bellhop queue', people.renovate)
      expect((await world.mergeRequest(two.iid)).sha).not.toBe(two.sha)
      await clone.push({ as: people.alice, branch: 'two', files: { 'more.txt': 'more' }, message: 'More' })
      await world.settle()
      await reportOwn(world, two, 'success')
      expect([await world.stateOf(two.iid), (await world.record())?.builds]).toEqual(['opened', []])
    })
  })

  test('pipelines: merge_request: a draft is opened for each build, and closed in the end; no rule is for it', async () => {
    const world = await inNewProject(`version: 1
queues: [{ name: main, target: master, pipelines: merge_request, own_pipeline: false }]
rules:
  - { name: merge, if: { pipeline: success, author: alice }, then: { accept: { queue: main } } }
  - { name: label all, if: { state: opened }, then: { label: { add: seen } } }
  - { name: log, on: merge_request.open, then: { spend: 1m } }
`)
    const { service, project, people, sandbox } = world
    await sandbox.within(async (inside) =>
      scriptPipelines(inside, project, [{ branches: '**', kind: 'merge_request', takes: 0, ends: ['success'] }]),
    )
    // The draft of a build whose branch is gone.
    const branch = 'bellhop/queue/main/9'
    await service.repository.branches.create({ id: project, branch, ref: 'master' })
    const draft = { id: project, source_branch: branch, target_branch: 'master', title: 'Draft: left over' }
    await world.as(people.bellhop).mergeRequests.create(draft)
    await service.repository.branches.delete({ id: project, branch })
    const one = await world.openMergeRequest({ branch: 'one' })
    const { stateOf, record } = world
    await eventually(async () => expect(await stateOf(one.iid)).toBe('merged'), 200)
    await world.settle()
    expect([await stateOf(one.iid), (await record())?.paused]).toEqual(['merged', undefined])
    const { body } = await service.mergeRequests.list({ id: project, author_id: people.bellhop.id })
    expect(body.map(({ title, state, labels }) => [title, state, labels])).toEqual([
      [`Draft: Merge queue: test !${one.iid} on master`, 'closed', []],
      ['Draft: left over', 'closed', []],
    ])
    const spent = sandbox
      .calls()
      .filter(({ endpoint, params }) => params.id === project && endpoint === 'mergeRequests.addSpentTime')
    expect(spent.map(({ params }) => params.merge_request_iid)).toEqual([one.iid])
    expect(await world.labels(one.iid)).toEqual(['seen'])
    expect(await world.builds()).toEqual({})
  })
})
