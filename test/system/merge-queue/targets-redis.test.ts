// Target, project and queue branches change during builds; with real git. On Redis only (backend-independent).
import { resumeQueue } from '../../../src/merge-queue/operate.ts'
import { announceRefs } from '../../../src/sandbox/pushes/follow-pushes.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known } from '../world.ts'
import { type QueueWorld, queueRules, shareQueueWorld } from './queue-world.ts'

/** Somebody pushes master with force. */
async function forcePush(queue: QueueWorld, sha: string): Promise<void> {
  await queue.sandbox.within((world) =>
    world.serialise(`project ${queue.project}`, async () => {
      await world.git.text(queue.project, ['update-ref', 'refs/heads/master', sha])
      await announceRefs(world, queue.project, known(world.users.get(1)))
    }),
  )
  await queue.settle()
}

const resume = async ({ bellhop, queueRef, after }: QueueWorld) => {
  await bellhop.journal.mergeQueues.change(queueRef, (record) => record && resumeQueue(record, Date.now()))
  await after(0)
}

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))

  test('a target that is pushed with force voids the builds, also after a landing', async () => {
    const queue = await start()
    const before = await queue.target()
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    await queue.report(1, 'success')
    await forcePush(queue, before)
    expect([await queue.numbers(), await queue.entries()]).toEqual([[3], [two.iid]])
    await queue.report(3, 'success')
    expect(await queue.seen(one, two)).toEqual({ states: ['merged', 'merged'], entries: [] })
    expect([await queue.has('one.md'), await queue.has('two.md')]).toEqual([false, true])
  })

  test('a project that merges in another way than when the builds were made: the queue pauses, and removes nobody', async () => {
    const queue = await start()
    const one = await queue.enter('one')
    await queue.changeProject({ merge_method: 'ff' })
    await queue.report(1, 'success')
    expect(await queue.seen(one)).toEqual({ states: ['opened'], entries: [one.iid], pausedBy: 'merge_method' })
  })

  test.each<[string, string]>([
    ['by accept', ''],
    ['by a push', 'land: push'],
  ])(
    'where the branch is protected, the queue pauses, removes nobody, and lands %s once it may',
    async (_how, settings) => {
      const queue = await start({ queue: settings })
      const { project, service } = queue
      const [one, two] = [await queue.enter('one'), await queue.enter('two')]
      await service.projects.protectedBranches.delete({ id: project, name: 'master' }).catch(() => undefined)
      const levels = { push_access_level: 60, merge_access_level: 60 } as const
      await service.projects.protectedBranches.create({ id: project, name: 'master', ...levels })
      await queue.report(1, 'success')
      expect([await queue.pausedBy(), await queue.entries()]).toEqual(['landing_refused', [one.iid, two.iid]])
      await service.projects.protectedBranches.delete({ id: project, name: 'master' })
      await resume(queue)
      await queue.reportAll()
      expect(await queue.states(one, two)).toEqual(['merged', 'merged'])
    },
  )

  // 403: the same as 401.
  test.each([401, 404])(
    'where git over HTTP answers %i, the queue pauses, removes nobody, and lands once it may',
    async (status) => {
      const queue = await start()
      const one = await queue.enter('one')
      const heal = queue.sandbox.faults.git({ do: { status } })
      await queue.report(1, 'success')
      expect(await queue.seen(one)).toEqual({ states: ['opened'], entries: [one.iid], pausedBy: 'repository_refused' })
      expect((await queue.bellhop.bot.queues.mergeQueues.counts()).failed).toBe(0)
      heal()
      await resume(queue)
      await queue.reportAll()
      expect([await queue.stateOf(one.iid), await queue.pausedBy()]).toEqual(['merged', undefined])
    },
  )

  test('a target that somebody deletes pauses the queue, which removes nobody, and lands on the one that comes back', async () => {
    const queue = await start()
    const { project, service } = queue
    const one = await queue.enter('one')
    const before = await queue.target()
    await service.repository.branches.create({ id: project, branch: 'trunk', ref: 'master' })
    await queue.changeProject({ default_branch: 'trunk' })
    await service.repository.branches.delete({ id: project, branch: 'master' })
    await queue.after(0)
    expect([await queue.pausedBy(), await queue.stateOf(one.iid)]).toEqual(['target_missing', 'opened'])
    expect((await queue.bellhop.bot.queues.mergeQueues.counts()).failed).toBe(0)
    await service.repository.branches.create({ id: project, branch: 'master', ref: before })
    await queue.changeProject({ default_branch: 'master' })
    await resume(queue)
    await queue.reportAll()
    expect([await queue.stateOf(one.iid), await queue.pausedBy()]).toEqual(['merged', undefined])
  })

  test.each<[string, string, (queue: QueueWorld) => Promise<unknown>]>([
    [
      'protected branches',
      'branch_refused',
      ({ project, service }) =>
        service.projects.protectedBranches.create({ id: project, name: 'bellhop/queue/*', push_access_level: 60 }),
    ],
    [
      'a push rule',
      'branch_refused',
      ({ project, service }) => service.projects.pushRule.create({ id: project, commit_message_regex: '^feat' }),
    ],
    [
      'a push rule for signed commits',
      'signed_commits',
      async ({ project, service, sandbox }) => {
        const { id = 0 } = (await service.projects.pushRule.create({ id: project })).body
        await sandbox.within(async ({ pushRules }) => pushRules.update(id, { reject_unsigned_commits: true }))
      },
    ],
  ])('where %s refuse the branches of builds, the queue pauses and removes nobody', async (_case, pausedBy, refuse) => {
    const queue = await start()
    const one = await queue.open('one')
    await refuse(queue)
    await queue.pipeline(one.sha, one.branch, 'success')
    await queue.settle()
    expect(await queue.seen(one)).toEqual({ states: ['opened'], entries: [one.iid], pausedBy })
    expect(await queue.numbers()).toEqual([])
  })

  test('one whose files a push rule refuses leaves alone, with the words of the service', async () => {
    const queue = await start({ queue: 'land: push\nspeculate: 1' })
    await queue.changeProject({ merge_method: 'ff' })
    const { iid, sha } = await queue.openMergeRequest({ branch: 'two', files: { 'secret.txt': 'two' } })
    // It is rebased, and the push rule is for new commits.
    await queue.pushToTarget()
    await queue.service.projects.pushRule.create({ id: queue.project, file_name_regex: 'secret', member_check: true })
    await queue.pipeline(sha, 'two', 'success')
    const one = await queue.enter('one')
    expect((await queue.notes(iid)).join()).toMatch(
      /removed it: the service takes no branch with its commits; the service says: `File name secret.txt was prohibited/,
    )
    await queue.say(iid, '@bellhop why', queue.people.alice)
    expect((await queue.notes(iid)).join()).toContain('the service says: File name secret.txt was prohibited')
    await queue.reportAll()
    expect(await queue.seen(one, { iid })).toEqual({ states: ['merged', 'opened'], entries: [] })
    expect(await queue.branches()).toEqual([])
  })

  test('a branch of the queue to which somebody pushes does not land, and another one takes its place', async () => {
    const queue = await start()
    const one = await queue.enter('one')
    const actions = [{ action: 'create' as const, file_path: 'evil.txt', content: 'evil' }]
    const branch = await queue.branchOf(1)
    const commit = { id: queue.project, branch, commit_message: 'Evil', actions }
    const { body } = await queue.as(queue.people.renovate).repository.commits.create(commit)
    await queue.pipeline(known(body.id), branch, 'success')
    await queue.settle()
    expect([await queue.stateOf(one.iid), await queue.has('evil.txt')]).toEqual(['opened', false])
    await queue.report(2, 'success')
    expect(await queue.seen(one)).toEqual({ states: ['merged'], entries: [] })
    expect(await queue.has('evil.txt')).toBe(false)
  })

  describe('the rule file changes while a build runs', () => {
    const change = ({ pushToTarget }: QueueWorld, rules: string) => pushToTarget({ '.bellhop.yml': rules })

    test('and is broken: tests go on, nothing lands, and the repaired one lands', async () => {
      const queue = await start()
      const one = await queue.enter('one')
      await change(queue, 'version: 1\nrules: [broken')
      await queue.settle()
      expect(await queue.numbers()).toEqual([2])
      await queue.report(2, 'success')
      expect([await queue.stateOf(one.iid), await queue.entries()]).toEqual(['opened', [one.iid]])
      expect((await queue.notes(one.iid)).join()).toContain('until the mistakes of the rule file are repaired')
      await change(queue, queueRules())
      await queue.settle()
      await queue.reportAll()
      expect([await queue.stateOf(one.iid), await queue.pausedBy()]).toEqual(['merged', undefined])
    })

    test('and has other settings: they count for what is tested next', async () => {
      const queue = await start({ queue: 'speculate: 1' })
      const [one, two] = [await queue.enter('one'), await queue.enter('two')]
      expect(await queue.numbers()).toEqual([1])
      await change(queue, queueRules({ queue: 'land: push\nspeculate: 2\nretries: 0' }))
      await queue.settle()
      const numbers = await queue.numbers()
      expect(numbers).toHaveLength(2)
      const tested = (await queue.builds())[Math.max(...numbers)]
      await queue.reportAll()
      expect([await queue.states(one, two), await queue.target()]).toEqual([['merged', 'merged'], tested])
    })

    test('and gives the queue another name: its old branches go, and it lands by new ones', async () => {
      const queue = await start()
      const one = await queue.enter('one')
      await change(queue, queueRules().replaceAll('main', 'trunk'))
      await queue.settle()
      await queue.after(1)
      const { project, service } = queue
      const branches = async () =>
        (await service.repository.branches.list({ id: project, search: '^bellhop/' })).body.map(({ name }) =>
          known(name),
        )
      expect(await branches()).toEqual([expect.stringMatching(/^bellhop\/queue\/trunk\/\d+$/)])
      const [branch = ''] = await branches()
      const { body } = await service.repository.branches.get({ id: project, branch })
      await queue.pipeline(known(body.commit?.id), branch, 'success')
      await queue.settle()
      expect([await queue.stateOf(one.iid), await branches()]).toEqual(['merged', []])
    })
  })
})
