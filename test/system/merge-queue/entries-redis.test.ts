// Entries change during tests: what lands is what rules still request; real git. On Redis only (backend-independent).
import { enqueueMergeQueue } from '../../../src/bot/queues.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known } from '../world.ts'
import { type QueueWorld, queueRules, shareQueueWorld } from './queue-world.ts'

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))

  describe('in the last second before it lands', () => {
    const approved = '{ pipeline: success, approvals_given: { at_least: 1 } }'
    test.each<[string, string | undefined, (queue: QueueWorld, iid: number) => Promise<unknown>]>([
      [
        'its approval is withdrawn',
        approved,
        (queue, iid) => queue.as(queue.people.renovate).mergeRequests.unapprove(queue.ref(iid)),
      ],
      [
        'its branch gets another commit',
        undefined,
        ({ clone, people }) =>
          clone.push({ as: people.alice, branch: 'one', files: { 'more.txt': 'more' }, message: 'More' }),
      ],
    ])('%s: it leaves, and the one behind it lands', async (_case, when, happen) => {
      const queue = await start(when === undefined ? {} : { when })
      // One after the other, so that they enter in this order.
      async function approve(iid: number) {
        await queue.as(queue.people.renovate).mergeRequests.approve(queue.ref(iid))
        await queue.settle()
      }
      const [one, two] = [await queue.enter('one'), await queue.enter('two')]
      if (when !== undefined) for (const { iid } of [one, two]) await approve(iid)
      expect(await queue.numbers()).toEqual([1, 2])
      queue.before('repository.pipelines.get', () => happen(queue, one.iid))
      await queue.report(1, 'success')
      expect(await queue.entries()).toEqual([two.iid])
      await queue.reportAll()
      expect(await queue.seen(one, two)).toEqual({ states: ['opened', 'merged'], entries: [] })
      expect(await queue.has('one.md')).toBe(false)
    })
  })

  test.each<[string, (queue: QueueWorld, iid: number) => Promise<unknown>]>([
    [
      'was never stored',
      ({ bellhop, project }, iid) => bellhop.journal.mergeQueues.saveEntry({ project, iid }, undefined),
    ],
    [
      'was stored with other terms',
      async ({ bellhop, project, queueRef }, iid) => {
        const [stored] = await bellhop.journal.mergeQueues.entries(queueRef)
        await bellhop.journal.mergeQueues.saveEntry({ project, iid }, { ...known(stored), priority: 5 })
      },
    ],
  ])('an entry that a killed process remembers, but that %s, is stored by the next evaluation', async (_how, lose) => {
    const queue = await start()
    const { iid } = await queue.enter('one')
    const before = await queue.bellhop.journal.mergeQueues.entries(queue.queueRef)
    await lose(queue, iid)
    await queue.as(queue.people.alice).mergeRequests.update({ ...queue.ref(iid), add_labels: 'other' })
    await queue.settle()
    const after = await queue.bellhop.journal.mergeQueues.entries(queue.queueRef)
    expect(after).toEqual(before.map((entry) => ({ ...entry, since: expect.any(Number) })))
    await queue.reportAll()
    expect(await queue.stateOf(iid)).toBe('merged')
  })

  test('after an hour of lost hooks the next sweep lands what is green, and enters what is new', async () => {
    const queue = await start()
    const one = await queue.enter('one')
    const heal = queue.sandbox.faults.hooks({ do: 'drop' })
    await queue.report(1, 'success')
    const two = await queue.enter('two')
    expect([await queue.states(one, two), await queue.entries()]).toEqual([['opened', 'opened'], [one.iid]])
    heal()
    queue.moveClock(60)
    await queue.bellhop.bot.queues.sweeps.add({ data: { is: 'sweep', why: 'schedule' } })
    await queue.settle()
    expect([await queue.states(one, two), await queue.entries()]).toEqual([['merged', 'opened'], [two.iid]])
    await queue.reportAll()
    expect(await queue.states(one, two)).toEqual(['merged', 'merged'])
  })

  describe('a fork, in a queue that tests approved ones,', () => {
    const rules = `version: 1
queues: [{ name: main, target: master, forks: approved }]
rules: [{ name: queue on request, command: queue, then: { accept: { queue: main, pipeline: of_fork } } }]
`
    /** Opens one of alice's fork, whose pipeline is green. */
    async function openFork() {
      const queue = await start(rules)
      const { project, people } = queue
      const alice = queue.as(people.alice)
      const fork = known((await alice.projects.fork({ id: project, namespace: 'alice' })).body.id)
      await queue.sandbox.idle()
      const commit = async (name: string) => {
        const actions = [{ action: 'create' as const, file_path: name, content: name }]
        const change = { id: fork, branch: 'theirs', commit_message: name, actions }
        const start_branch = name === 'one' ? { start_branch: 'master' } : {}
        const sha = known((await alice.repository.commits.create({ ...change, ...start_branch })).body.id)
        await alice.repository.statuses.create({ id: fork, sha, ref: 'theirs', state: 'success', name: 'ci' })
        await queue.settle()
        return sha
      }
      await commit('one')
      const opened = { id: fork, target_project_id: project, source_branch: 'theirs', target_branch: 'master' }
      const { iid } = (await alice.mergeRequests.create({ ...opened, title: 'Theirs' })).body
      await queue.settle()
      const ask = (by: 'alice' | 'renovate') => queue.say(known(iid), '@bellhop queue', people[by])
      return { queue, fork, iid: known(iid), commit, ask }
    }

    /** Nothing ran in the project before: it waits for a CI of its own first. */
    async function reportAll(queue: QueueWorld) {
      for (const number of await queue.numbers()) await queue.report(number, 'success')
      await queue.after(11)
    }

    test('lands where a Maintainer requests it, and not where its author does', async () => {
      const { queue, iid, ask } = await openFork()
      await ask('alice')
      expect(await queue.entries()).toEqual([])
      await ask('renovate')
      expect(await queue.entries()).toEqual([iid])
      await reportAll(queue)
      expect([await queue.stateOf(iid), await queue.has('one')]).toEqual(['merged', true])
    })

    test('leaves where it is pushed to after that, until it is requested again', async () => {
      const { queue, iid, commit, ask } = await openFork()
      await ask('renovate')
      await commit('two')
      await queue.after(1)
      expect([await queue.entries(), await queue.numbers()]).toEqual([[], []])
      await ask('renovate')
      await reportAll(queue)
      expect([await queue.stateOf(iid), await queue.has('two')]).toEqual(['merged', true])
    })

    /** It is tested meanwhile; then the pipelines of all builds are green. */
    async function whileTested(change: (queue: QueueWorld, fork: number) => Promise<unknown>) {
      const { queue, fork, iid, ask } = await openFork()
      await ask('renovate')
      expect(await queue.numbers()).toEqual([1])
      const before = await queue.target()
      await change(queue, fork)
      await queue.settle()
      const builds = await queue.numbers()
      await reportAll(queue)
      await queue.after(2)
      expect([await queue.entries(), await queue.numbers(), await queue.pausedBy()]).toEqual([[], [], undefined])
      return { queue, iid, before, builds }
    }

    test('that is deleted while it is tested: the service closes the merge request, and it leaves', async () => {
      const deleted = await whileTested((queue, fork) => queue.service.projects.delete({ id: fork }))
      const { queue, iid, before, builds } = deleted
      expect([await queue.stateOf(iid), await queue.target(), builds]).toEqual(['closed', before, []])
      expect((await queue.notes(iid)).join()).toContain('It left the merge queue')
    })

    test('that becomes private while it is tested lands as it was tested: the target has its commits', async () => {
      const change = { name: 'Fork', visibility: 'private' } as const
      const { queue, iid, builds } = await whileTested((queue, fork) =>
        queue.service.projects.update({ id: fork, ...change }),
      )
      expect([await queue.stateOf(iid), await queue.has('one'), builds]).toEqual(['merged', true, [1]])
    })
  })

  test('one that gets the queue’s branch as its target enters, one that loses it leaves', async () => {
    const queue = await start()
    const { project, service } = queue
    await service.repository.branches.create({ id: project, branch: 'other', ref: 'master' })
    const one = await queue.enter('one')
    await queue.update(one.iid, { target_branch: 'other' })
    expect([await queue.entries(), await queue.numbers()]).toEqual([[], []])
    await queue.update(one.iid, { target_branch: 'master' })
    expect(await queue.entries()).toEqual([one.iid])
    await queue.reportAll()
    expect(await queue.stateOf(one.iid)).toBe('merged')
  })

  test('two of the same head: the second is merged with the first, and the queue goes on', async () => {
    const queue = await start()
    const { project, service, people } = queue
    const one = await queue.enter('one')
    await service.repository.branches.create({ id: project, branch: 'copy', ref: 'one' })
    const copy = { id: project, source_branch: 'copy', target_branch: 'master', title: 'copy' }
    const iid = known((await queue.as(people.alice).mergeRequests.create(copy)).body.iid)
    await queue.pipeline(one.sha, 'copy', 'success')
    const three = await queue.enter('three')
    await queue.reportAll()
    expect(await queue.seen(one, { iid }, three)).toEqual({ states: ['merged', 'merged', 'merged'], entries: [] })
  })

  test('those of a queue that gets another name keep their time of entry, also while the rule file is broken', async () => {
    const queue = await start({ queue: 'speculate: 1' })
    const [one, two, three] = [await queue.enter('one'), await queue.enter('two'), await queue.enter('three')]
    const entered = async () =>
      (await queue.bellhop.journal.mergeQueues.entries(queue.queueRef))
        .toSorted((a, b) => a.since - b.since)
        .map(({ iid, since, queue: name }) => [iid, since, name])
    const before = await entered()
    await queue.pushToTarget({ '.bellhop.yml': 'version: 1\nrules: [broken' })
    for (const { iid } of [three, two, one]) await queue.update(iid, { add_labels: 'other' })
    await queue.settle()
    expect(await entered()).toEqual(before)
    await queue.pushToTarget({ '.bellhop.yml': queueRules({ queue: 'speculate: 1' }).replaceAll('main', 'trunk') })
    for (const { iid } of [three, two, one]) await queue.update(iid, { remove_labels: 'other' })
    await queue.after(1)
    expect(await entered()).toEqual(before.map(([iid, since]) => [iid, since, 'trunk']))
  })

  test('one that a person merges during its landing stops nobody', async () => {
    const queue = await start()
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    queue.before(
      'mergeRequests.accept',
      () => queue.service.mergeRequests.accept({ ...queue.ref(one.iid), sha: one.sha }),
      {
        username: queue.people.bellhop.username,
      },
    )
    await queue.report(1, 'success')
    expect((await queue.notes(one.iid)).join()).toBe(
      'It left the merge queue of `master`: it was merged without the queue.',
    )
    expect((await queue.record())?.landing).toBeUndefined()
    await queue.reportAll()
    expect(await queue.seen(one, two)).toEqual({ states: ['merged', 'merged'], entries: [] })
  })

  test('a worker whose clock is ahead pauses nothing', async () => {
    const queue = await start({ queue: 'timeout: 1m' })
    const one = await queue.enter('one')
    await queue.report(1, 'running')
    queue.moveClock(20, { alsoDatabase: false })
    await enqueueMergeQueue(queue.bellhop.bot.queues.mergeQueues, queue.queueRef)
    await queue.settle()
    expect([await queue.pausedBy(), await queue.numbers()]).toEqual([undefined, [1]])
    await queue.report(1, 'success')
    expect(await queue.stateOf(one.iid)).toBe('merged')
  })

  test('one that is stacked on another lands behind it', async () => {
    const queue = await start()
    const { clone, people, project } = queue
    const one = await queue.enter('one')
    const push = { as: people.alice, branch: 'two', from: 'one', files: { 'two.md': 'two' }, message: 'Two' }
    const sha = await clone.push(push)
    const given = { id: project, source_branch: 'two', target_branch: 'master', title: 'two' }
    const iid = known((await queue.as(people.alice).mergeRequests.create(given)).body.iid)
    await queue.pipeline(sha, 'two', 'success')
    await queue.settle()
    expect(await queue.numbers()).toEqual([1, 2])
    await queue.report(2, 'success')
    await queue.report(1, 'success')
    expect(await queue.seen(one, { iid })).toEqual({ states: ['merged', 'merged'], entries: [] })
    expect([await queue.has('one.md'), await queue.has('two.md')]).toEqual([true, true])
  })

  test('one that a person merges while it waits for its turn voids what was tested on the old target', async () => {
    const queue = await start({ queue: 'speculate: 1' })
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    await queue.service.mergeRequests.accept({ ...queue.ref(two.iid), sha: two.sha })
    await queue.settle()
    expect([await queue.numbers(), await queue.entries()]).toEqual([[2], [one.iid]])
    await queue.reportAll()
    expect([await queue.stateOf(one.iid), await queue.pausedBy()]).toEqual(['merged', undefined])
  })
})
