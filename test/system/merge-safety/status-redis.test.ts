// A commit status that the project requires stops people too. On Redis alone, the quicker backend.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: the policy
    if: { labels: { any: [approved], none: [hold] } }
    then: { status: { name: bellhop/policy, while: success, description: Somebody looked at it. } }
`

onRedis((queueUrl) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl() })
    const { project: id, service } = world
    const name = (await service.projects.get({ id })).body.name ?? ''
    await service.projects.update({ id, name, only_allow_merge_if_pipeline_succeeds: true })
  })
  afterAll(() => world.end())

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

  test('the status of a new head says no until a rule matches it', async () => {
    const { alice } = world.people
    const { iid, branch } = await world.open('Pushed later')
    await world.update(iid, { labels: 'approved' })
    await world.settle()
    await world.clone.push({ as: alice, branch, files: { 'later.txt': 'later' }, message: 'Later' })
    const sha = (await world.mergeRequest(iid)).sha ?? ''
    await world.update(iid, { labels: '' })
    await world.settle()
    expect(await statuses(sha)).toEqual(['bellhop/policy failed'])
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

  test('once it is set, nothing is called while nothing changes', async () => {
    const { iid } = await world.open('Quiet')
    const before = world.calls(iid).length
    await world.say(iid, 'What a door.')
    await world.settle()
    expect(world.calls(iid).length).toBe(before)
  })
})
