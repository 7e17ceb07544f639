// What people do between Bellhop's reading and its accept, and what they did before it read.
import { known } from '../world.ts'
import { type MergeWorld, mergeRules } from './world.ts'

type Body = Record<string, unknown>

export function changesSuite(given: () => MergeWorld): void {
  describe.sequential('between evaluating and accepting', () => {
    test.each<[string, (world: MergeWorld, iid: number) => Promise<void>]>([
      ['a label that forbids it', (world, iid) => world.change(iid, { add_labels: 'hold' })],
      ['being marked as a draft', (world, iid) => world.change(iid, { title: 'Draft: not yet' })],
      ['another target branch', (world, iid) => world.change(iid, { target_branch: 'release' })],
    ])('%s keeps it from being merged, and no accept is sent', async (_what, change) => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.beforeLastReading(() => change(world, iid))
      await world.green(sha, branch)
      expect((await world.decisions(iid)).flatMap((each) => each.responses)).toMatchObject([
        { result: 'moved', status: null },
      ])
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
    })

    test('a text that closes another issue keeps it from being merged, though the issues were read before', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      const hidden = await world.hiddenIssue()
      const open = known((await world.service.issues.create({ id: world.project, title: 'Open' })).body.iid)
      await world.change(iid, { description: `Closes #${open}` })
      world.beforeLastReading(() => world.change(iid, { description: `Closes ${hidden}` }))
      await world.green(sha, branch)
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
    })

    test('being closed keeps it from being merged, and no accept is sent', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.beforeLastReading(() => world.change(iid, { state_event: 'close' }))
      await world.green(sha, branch)
      expect([world.accepts(iid), world.merges(iid), (await world.mergeRequest(iid)).state]).toEqual([[], [], 'closed'])
    })

    test('a rule file that asks for it no more keeps it from being merged, though no hook told of the new file', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      const commitRules = (text: string) =>
        world.clone.push({
          as: world.people.alice,
          branch: 'master',
          files: { '.bellhop.yml': text },
          message: 'Rules',
        })
      world.sandbox.faults.hooks({ event: 'push', times: 1, do: 'drop' })
      await commitRules(mergeRules.replace('none: [hold]', 'none: [hold], any: [ready]'))
      await world.green(sha, branch)
      expect((await world.decisions(iid)).flatMap((each) => each.responses)).toMatchObject([
        { result: 'moved', status: null },
      ])
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
      await commitRules(mergeRules)
      await world.change(iid, { title: 'Looked at once more' })
      await world.settle()
      world.expectMerged(iid, sha)
    })

    test('a merge by somebody else is not merged twice', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.beforeLastReading(async () => {
        await world.service.mergeRequests.accept({ ...world.ref(iid), sha })
      })
      await world.green(sha, branch)
      expect(world.accepts(iid)).toEqual([])
      world.expectMerged(iid, sha)
    })

    test('a pipeline that is run again does not merge while it runs', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.beforeLastReading(() => world.pipeline(sha, branch, 'running'))
      await world.green(sha, branch)
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
      await world.green(sha, branch)
      world.expectMerged(iid, sha)
    })
  })

  test.each<[string, (world: MergeWorld, iid: number) => Promise<void>, string]>([
    ['closed', (world, iid) => world.change(iid, { state_event: 'close' }), 'closed'],
    ['marked as a draft', (world, iid) => world.change(iid, { title: 'Draft: not yet' }), 'opened'],
  ])('in the moment of the accept one that is %s is left alone after the refusal', async (_what, change, state) => {
    const world = given()
    const { iid, sha, branch } = await world.open('merge')
    world.before('mergeRequests.accept', () => change(world, iid))
    await world.green(sha, branch)
    expect(world.accepts(iid)).toMatchObject([{ applied: false }])
    expect([world.merges(iid), (await world.mergeRequest(iid)).state]).toEqual([[], state])
  })

  test.each([
    ['the decision', false, { result: 'dropped', message: 'its target branch is release, and master was evaluated' }],
    ['although the response is lost,', true, { result: 'ambiguous' }],
  ])(
    'sent into another branch in the moment of the accept: %s the log and a note say where it was merged',
    async (_what, isLost, response) => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.before('mergeRequests.accept', () => world.change(iid, { target_branch: 'release' }))
      if (isLost) world.sandbox.faults.api({ endpoint: 'mergeRequests.accept', do: 'lose_response', times: 1 })
      await world.green(sha, branch)
      expect(world.merges(iid)).toMatchObject([{ mergeRequest: { target_branch: 'release' } }])
      expect((await world.decisions(iid)).flatMap(({ responses }) => responses)).toMatchObject([response])
      expect(world.log).toContainEqual(
        expect.objectContaining({
          ...{ event: 'merged_elsewhere', target: 'release', evaluated: 'master' },
          mergeRequest: `hotel/app!${iid}`,
        }),
      )
      world.sandbox.faults.clear()
      const notes = (await world.service.mergeRequests.notes.list(world.ref(iid))).body.map(({ body }) => body)
      expect(notes.join()).toContain('Bellhop merged it into `release`, but its rules were evaluated for `master`')
    },
  )

  describe.sequential('a pipeline of the branch', () => {
    test('that succeeds late, for an earlier head, does not merge the new one', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      await world.pipeline(sha, branch, 'running')
      const newHead = await world.push(branch)
      await world.settle()
      await world.green(sha, branch)
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
      await world.green(newHead, branch)
      world.expectMerged(iid, newHead)
    })

    test('whose success is told only after it was run again does not merge', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.sandbox.faults.hooks({ event: 'pipeline', times: 1, do: 'hold' })
      await world.pipeline(sha, branch, 'success')
      await world.pipeline(sha, branch, 'running')
      world.sandbox.faults.releaseHooks()
      await world.settle()
      expect(world.accepts(iid)).toEqual([])
      await world.expectOpen(iid)
    })
  })

  test('from a fork, whose hooks Bellhop does not get, neither unseen pushes nor an earlier head’s pipeline merge it', async () => {
    const world = given()
    const fork = await world.fork()
    const unseen = await fork.open('pushed')
    const followed = await fork.open('open')
    const newHead = await fork.push(followed.branch)
    await fork.green(unseen.sha, unseen.branch)
    await fork.green(followed.sha, followed.branch)
    // Nothing of it reaches Bellhop: it looks again because of something else.
    const look = async () => {
      for (const { iid } of [unseen, followed]) await world.change(iid, { title: `Looked at ${newHead}` })
      await world.settle()
    }
    await look()
    expect([...world.accepts(unseen.iid), ...world.accepts(followed.iid)]).toEqual([])
    await fork.green(newHead, followed.branch)
    await world.as(world.people.renovate).mergeRequests.approve(world.ref(followed.iid))
    await world.settle()
    world.expectMerged(followed.iid, newHead)
    await world.expectOpen(unseen.iid)
  })

  test('a comment that asks for the merge never merges what was pushed after it, however late it is told', async () => {
    const world = given()
    const { iid, branch } = await world.open('asked')
    const ask = () =>
      world.as(world.people.renovate).mergeRequests.notes.create({ ...world.ref(iid), body: '@bellhop merge' })
    world.sandbox.faults.hooks({ event: 'note', times: 1, do: 'hold' })
    await ask()
    const newHead = await world.push(branch)
    await world.green(newHead, branch)
    world.sandbox.faults.releaseHooks()
    await world.settle()
    expect(world.accepts(iid)).toEqual([])
    await world.expectOpen(iid)
    await ask()
    await world.settle()
    world.expectMerged(iid, newHead)
  })

  test('while the service merges it (locked) nothing is sent', async () => {
    const world = given()
    const { iid, sha, branch } = await world.open('merge')
    const back = world.sandbox.faults.api({
      endpoint: 'mergeRequests.get',
      caller: 'bellhop',
      do: { rewrite: (body) => ({ ...(body as Body), state: 'locked' }) },
    })
    await world.pipeline(sha, branch, 'success')
    await expect.poll(async () => (await world.decisions(iid))[0]?.rules[0]?.actions[0]?.result).toBe('waits')
    expect(world.accepts(iid)).toEqual([])
    back()
    await world.settle()
    world.expectMerged(iid, sha)
  })

  test('approvals that a push made stale do not merge the new head while the service still shows them', async () => {
    const world = given()
    const { iid, branch } = await world.open('approved')
    const approvals = world.as(world.people.alice).mergeRequests
    await approvals.approve(world.ref(iid))
    // The service resets them some seconds after the push.
    const back = world.sandbox.faults.api({
      endpoint: 'mergeRequests.get',
      caller: 'bellhop',
      do: { rewrite: (body) => ({ ...(body as Body), detailed_merge_status: 'approvals_syncing' }) },
    })
    const newHead = await world.push(branch)
    await world.pipeline(newHead, branch, 'success')
    await expect.poll(async () => (await world.decisions(iid))[0]?.rules[2]?.actions[0]?.result).toBe('waits')
    await approvals.unapprove(world.ref(iid))
    back()
    await world.settle()
    expect(world.accepts(iid)).toEqual([])
    await world.expectOpen(iid)
    await approvals.approve(world.ref(iid))
    await world.settle()
    world.expectMerged(iid, newHead)
  })
}
