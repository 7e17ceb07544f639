// Authors cannot keep an approval or waiting merge that no rule requests. On Redis only (backend-independent).
import { createClient } from '../../../src/client/create-client.ts'
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - name: tell the title
    if: { state: opened }
    then: { comment: "It is called {{ title }}." }
  - name: merge documentation
    if: { changed_files: { all: "docs/**" } }
    then: { approve: true, accept: { when: pipeline_succeeds } }
`

onRedis((queueUrl) => {
  let world: TestWorld
  let next = 1

  beforeAll(async () => {
    const retryDelays = { firstBackoffMs: 40, attempts: 5, outageMs: 300 }
    world = await startTestWorld({ rules, retryDelays, queueUrl: queueUrl() })
    await world.service.repository.branches.create({ id: world.project, branch: 'production', ref: 'master' })
    await world.settle()
  })
  afterAll(() => world.end())

  const held = async (iid: number) => {
    const approvals = await world.as(world.people.bellhop).mergeRequests.approvals(world.ref(iid))
    const { merge_when_pipeline_succeeds, state } = await world.mergeRequest(iid)
    return { approved: approvals.body.approved_by?.length === 1, waiting: merge_when_pipeline_succeeds, state }
  }
  /** A documentation change by alice, whose merge waits for its pipeline with Bellhop's approval. */
  async function openWaiting() {
    const branch = `docs-${next++}`
    const made = await world.open('Improve the docs', { branch, files: { [`docs/${branch}.md`]: 'new\n' } })
    await world.pipeline(made.sha, branch, 'running')
    await world.settle()
    expect(await held(made.iid)).toEqual({ approved: true, waiting: true, state: 'opened' })
    return made
  }
  const succeed = async (sha: string, branch: string) => {
    await world.pipeline(sha, branch, 'success')
    await world.settle()
  }

  describe.sequential('an author', () => {
    test('who edits the title seven times cannot stop the withdrawal after a change of the target', async () => {
      const { iid, sha, branch } = await openWaiting()
      for (let edit = 1; edit <= 7; edit += 1) await world.update(iid, { title: `Improve the docs ${edit}` })
      await world.update(iid, { target_branch: 'production' })
      expect(await held(iid)).toEqual({ approved: false, waiting: false, state: 'opened' })
      await succeed(sha, branch)
      expect((await world.mergeRequest(iid)).state).toBe('opened')
    })

    test('who edits the title seven times cannot keep the approval of a head that is pushed afterwards', async () => {
      const { iid, branch } = await openWaiting()
      for (let edit = 1; edit <= 7; edit += 1) await world.update(iid, { title: `Improve the docs ${edit}` })
      await world.clone.push({ as: world.people.alice, branch, files: { 'src/door.ts': 'open()\n' }, message: 'Code' })
      await world.settle()
      expect(await held(iid)).toEqual({ approved: false, waiting: false, state: 'opened' })
    })

    test('whose pipeline failed cannot take the waiting merge to another target', async () => {
      const { iid, sha, branch } = await openWaiting()
      await world.pipeline(sha, branch, 'failed')
      await world.settle()
      await world.update(iid, { target_branch: 'production' })
      expect(await held(iid)).toMatchObject({ approved: false, waiting: false })
      await succeed(sha, branch)
      expect((await world.mergeRequest(iid)).state).toBe('opened')
    })
  })

  test('a change that cannot be read does not keep the approval of the head before it', async () => {
    const { iid, branch } = await openWaiting()
    try {
      world.sandbox.faults.api({ endpoint: 'mergeRequests.diffs', times: 100, do: { status: 500 } })
      await world.clone.push({ as: world.people.alice, branch, files: { 'src/huge.ts': 'open()\n' }, message: 'Code' })
      await eventually(
        async () => expect(await held(iid)).toEqual({ approved: false, waiting: false, state: 'opened' }),
        50,
      )
    } finally {
      world.sandbox.faults.clear()
    }
    await world.settle()
    expect(
      (await world.decisions(iid)).find(({ paused }) => paused?.startsWith('the rules cannot be decided') === true)
        ?.paused,
    ).toMatch(/500/)
  })

  describe.sequential('the label that turns Bellhop off', () => {
    test.each([
      ['a change of the target', { target_branch: 'production' }],
      ['an edit', { title: 'Another title' }],
    ])('takes back the approval and the waiting merge, and %s brings nothing back', async (_what, later) => {
      const { iid, sha, branch } = await openWaiting()
      await world.update(iid, { add_labels: 'bellhop::off' })
      expect(await held(iid)).toEqual({ approved: false, waiting: false, state: 'opened' })
      const calls = world.calls(iid).length
      await world.update(iid, later)
      await succeed(sha, branch)
      expect(await held(iid)).toEqual({ approved: false, waiting: false, state: 'opened' })
      expect(world.calls(iid)).toHaveLength(calls)
    })

    test('does not count while a user below Developer has set it, and the decision says so', async () => {
      const { iid } = await openWaiting()
      const { id: user_id = 0 } = (
        await world.service.users.create({ username: 'carol', name: 'Carol', email: 'carol@example.com' })
      ).body
      const { token = '' } = (await world.service.users.createToken({ user_id, name: 'test', scopes: ['api'] })).body
      const member = { id: world.project, user_id }
      await world.service.projects.members.add({ ...member, access_level: 30 })
      const carol = createClient({ baseUrl: world.sandbox.url, token })
      await carol.mergeRequests.update({ ...world.ref(iid), add_labels: 'bellhop::off' })
      await world.settle()
      expect(await held(iid)).toMatchObject({ approved: false, waiting: false })
      await world.service.projects.members.update({ ...member, access_level: 20 })
      await world.update(iid, { title: 'Read again' })
      expect(await held(iid)).toMatchObject({ approved: true, waiting: true })
      const ignored = (await world.decisions(iid)).find(({ offIgnored }) => offIgnored !== undefined)?.offIgnored
      expect(ignored).toMatch(
        /^the label bellhop::off does not count: carol set it, and only a developer or above may$/,
      )
    })
  })
})
