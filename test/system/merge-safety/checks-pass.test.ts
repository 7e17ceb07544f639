// `when: checks_pass` on installations that let a draft wait, and on one that refuses it: merged once all have passed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: merge, if: { author: alice }, then: { accept: { when: checks_pass } } }
`

describe.each([
  ['Premium', { tier: 'premium', version: '18.11.0' }, 200],
  ['Free', { tier: 'free', version: '18.11.0' }, 200],
  ['Premium 16.11, which lets only pipelines wait', { tier: 'premium', version: '16.11.0' }, 405],
  ['Free 16.11, which lets only pipelines wait', { tier: 'free', version: '16.11.0' }, 405],
] as const)('on %s', (_name, installation, status) => {
  let world: TestWorld
  const isPremium = installation.tier === 'premium'
  beforeAll(async () => {
    world = await startTestWorld({ rules, installation })
    const { project: id, service } = world
    const { name = '' } = (await service.projects.get({ id })).body
    if (isPremium) await service.projects.update({ id, name, approvals_before_merge: 1 })
    await world.settle()
  })
  afterAll(() => world.end())

  test('a green draft without its approval is merged when it is ready and approved, and not before', async () => {
    const state = async (iid: number) => (await world.mergeRequest(iid)).state
    const accepts = (iid: number) => world.calls(iid).filter((call) => call.endpoint === 'mergeRequests.accept')
    const { iid, sha, branch } = await world.open('Draft: a door')
    await world.pipeline(sha, branch, 'success')
    await world.settle()
    await expect.poll(() => accepts(iid)[0]).toMatchObject({ status })
    expect((await world.mergeRequest(iid)).merge_when_pipeline_succeeds).toBe(status === 200)

    await world.update(iid, { title: 'A door' })
    if (isPremium) {
      expect(await state(iid)).toBe('opened')
      await world.service.mergeRequests.approve({ ...world.ref(iid), sha })
      await world.settle()
    }
    await expect.poll(() => state(iid)).toBe('merged')
    const merges = world.sandbox.merges().filter(({ mergeRequest }) => mergeRequest.iid === iid)
    expect(merges).toMatchObject([{ mergeRequest: { sha } }])
    const last = accepts(iid).at(-1)
    expect([last?.status, accepts(iid).filter((call) => call.status === 200)]).toEqual([200, [last]])
  })
})
