// A commit status that the project requires stops people too. On Redis, the quicker backend.
import { eventually } from '../../eventually.ts'
import { type NoticeReceiver, startNoticeReceiver } from '../../notice-receiver.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: the policy
    if: { labels: { any: [approved], none: [hold] } }
    then: { status: { name: bellhop/policy, while: success, description: Somebody looked at it. } }
  - name: merge what is green
    if: { source_branch: { glob: "auto/*" }, pipeline: success }
    then: { accept: true }
`

onRedis((queueUrl) => {
  let world: TestWorld
  let receiver: NoticeReceiver
  beforeAll(async () => {
    receiver = await startNoticeReceiver()
    world = await startTestWorld({ rules, queueUrl: queueUrl(), settings: { BELLHOP_NOTIFY_URL: receiver.url } })
    const { project: id, service } = world
    const name = (await service.projects.get({ id })).body.name ?? ''
    await service.projects.update({ id, name, only_allow_merge_if_pipeline_succeeds: true })
  })
  afterAll(async () => {
    await world?.end()
    await receiver?.close()
  })

  const statuses = async (sha: string) =>
    (await world.service.repository.statuses.list({ id: world.project, sha })).body
      .map(({ name, status }) => `${name} ${status}`)
      .sort()
  /** How the service answers a person who merges it. */
  const merge = async (iid: number) => {
    const { alice } = world.people
    const accept = world.as(alice).mergeRequests.accept(world.ref(iid))
    return accept.then(
      ({ body }) => body.state,
      (error: { status?: number }) => error.status,
    )
  }

  test('a person merges only what a rule matches, whatever the pipeline says', async () => {
    const { iid, sha, branch } = await world.open('Needs an owner')
    await world.pipeline(sha, branch, 'success')
    await world.settle()
    expect(await statuses(sha)).toEqual(expect.arrayContaining(['bellhop/policy failed']))
    expect((await world.mergeRequest(iid)).head_pipeline?.status).toBe('failed')
    expect(await merge(iid)).toBe(405)
    await world.update(iid, { labels: 'approved' })
    await world.settle()
    expect(await statuses(sha)).toEqual(expect.arrayContaining(['bellhop/policy success']))
    await world.update(iid, { labels: 'approved,hold' })
    await world.settle()
    expect(await merge(iid)).toBe(405)
    await world.update(iid, { labels: 'approved' })
    await world.settle()
    expect(await merge(iid)).toBe('merged')
  })

  test('a person merges nothing by a status that no rule sets any more', async () => {
    const { alice } = world.people
    const { iid, sha } = await world.open('Approved before')
    await world.update(iid, { labels: 'approved' })
    await world.settle()
    expect(await statuses(sha)).toEqual(['bellhop/policy success'])
    const push = async (text: string, message: string) => {
      await world.clone.push({ as: alice, branch: 'master', files: { '.bellhop.yml': text }, message })
      await world.settle()
    }
    await push('version: 1\nrules: []\n', 'End the policy')
    expect(await statuses(sha)).toContain('bellhop/policy failed')
    expect(await merge(iid)).toBe(405)
    const [decision] = await world.decisions(iid)
    const calls = decision?.responses.map(({ call, result }) => [call.params.description, result])
    expect(calls).toEqual([['No rule of Bellhop sets this any more.', 'done']])
    await push(rules, 'Begin it again')
    expect(await merge(iid)).toBe('merged')
  })

  describe('a status that somebody else sets under its name', () => {
    const forge = async (sha: string, ref: string, state: 'success' | 'failed') => {
      const { alice } = world.people
      const body = { id: world.project, sha, ref, state, name: 'bellhop/policy', description: 'Approved' }
      await world.as(alice).repository.statuses.create(body)
      await world.settle()
    }
    const shown = async (sha: string) => {
      const { body } = await world.service.repository.statuses.list({ id: world.project, sha, name: 'bellhop/policy' })
      return body.map(({ status, author }) => [status, author?.username])
    }

    test('is replaced in the next evaluation, and stays failed after the third', async () => {
      const { iid, sha, branch } = await world.open('Forged')
      for (let time = 1; time <= 6; time++) {
        await forge(sha, branch, 'success')
        expect(await shown(sha)).toEqual([['failed', 'bellhop']])
      }
      expect(await merge(iid)).toBe(405)
      // Somebody approves it: it was forged too often for this head.
      await world.update(iid, { labels: 'approved' })
      expect(await shown(sha)).toEqual([['failed', 'bellhop']])
      await world.clone.push({ as: world.people.alice, branch, files: { 'a.txt': 'a' }, message: 'Again' })
      await world.settle()
      expect(await shown((await world.mergeRequest(iid)).sha ?? '')).toEqual([['success', 'bellhop']])
    })

    test('merges nothing, also where it is set again before each reading', async () => {
      const { alice, bellhop } = world.people
      const { iid, sha, branch } = await world.open('Raced', { branch: 'auto/raced' })
      const body = { id: world.project, sha, ref: branch, state: 'success' as const, name: 'bellhop/policy' }
      let left = 20
      const forgeAgain = async () => {
        if (left-- <= 0) return
        await world.as(alice).repository.statuses.create(body)
        world.before('mergeRequests.get', forgeAgain, { username: bellhop.username })
      }
      await forgeAgain()
      await world.settle()
      expect(left).toBeLessThan(19)
      expect((await world.service.mergeRequests.get(world.ref(iid))).body.state).toBe('opened')
      left = 0
    })

    test('next to a red job merges nothing, and is replaced when that job is green', async () => {
      const { iid, sha, branch } = await world.open('Forged next to a red job')
      const report = async (state: 'success' | 'failed') => {
        await world.service.repository.statuses.create({ id: world.project, sha, ref: branch, state, name: 'ci' })
        await world.settle()
      }
      await report('failed')
      await forge(sha, branch, 'success')
      expect(await merge(iid)).toBe(405)
      await report('success')
      expect(await shown(sha)).toEqual([['failed', 'bellhop']])
      expect(await merge(iid)).toBe(405)
    })

    test('is replaced where it denies what a rule allows', async () => {
      const { iid, sha, branch } = await world.open('Denied')
      await world.update(iid, { labels: 'approved' })
      await forge(sha, branch, 'failed')
      expect(await shown(sha)).toEqual([['success', 'bellhop']])
      expect(await merge(iid)).toBe('merged')
    })

    test('is in the audit log, and operators are notified once', async () => {
      const { iid, sha, branch } = await world.open('Told')
      const { alice } = world.people
      await forge(sha, branch, 'success')
      await forge(sha, branch, 'success')
      const about = { project: world.project, iid, status: 'bellhop/policy', state: 'success', by: alice.username }
      await eventually(() =>
        expect(
          receiver.notices('status_forged').filter(({ about: each }) => 'iid' in each && each.iid === iid),
        ).toEqual([expect.objectContaining({ about: expect.objectContaining(about) })]),
      )
      const { items } = await world.bellhop.journal.audit.list({ limit: 10 })
      expect(items.filter(({ to }) => to.iid === iid)).toMatchObject([
        { by: 'bellhop', operation: 'replace_forged_status', to: about },
        { by: 'bellhop', operation: 'replace_forged_status', to: about },
      ])
    })
  })
})
