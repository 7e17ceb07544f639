// `when: checks_pass` where the service lets a draft wait, and where it refuses (GitLab before 17.4): merges once all
// checks pass. On Redis, the quicker backend.
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: merge, if: { author: alice }, then: { accept: { when: checks_pass } } }
`

onRedis((url) => {
  describe.each(['premium', 'free'] as const)('on %s', (tier) => {
    let world: TestWorld
    const isPremium = tier === 'premium'
    beforeAll(async () => {
      world = await startTestWorld({ rules, tier, queueUrl: url() })
      const { project: id, service } = world
      const { name = '' } = (await service.projects.get({ id })).body
      if (isPremium) await service.projects.update({ id, name, approvals_before_merge: 1 })
      await world.settle()
    })
    afterAll(() => world.end())

    test.each([200, 405])(
      'a green draft without its approval, for which it answers %i, is merged when it is ready and approved, and not before',
      async (status) => {
        const state = async (iid: number) => (await world.mergeRequest(iid)).state
        const accepts = (iid: number) => world.calls(iid).filter((call) => call.endpoint === 'mergeRequests.accept')
        const refusal = {
          endpoint: 'mergeRequests.accept',
          do: { status: 405, body: { message: '405 Method Not Allowed' } },
        }
        const endRefusals = status === 405 ? world.sandbox.faults.api(refusal) : () => undefined
        const { iid, sha, branch } = await world.open('Draft: a door')
        await world.pipeline(sha, branch, 'success')
        await world.settle()
        await expect.poll(() => accepts(iid)[0]).toMatchObject({ status })
        expect((await world.mergeRequest(iid)).merge_when_pipeline_succeeds).toBe(status === 200)

        if (!isPremium) endRefusals()
        await world.update(iid, { title: 'A door' })
        if (isPremium) {
          expect(await state(iid)).toBe('opened')
          endRefusals()
          await world.service.mergeRequests.approve({ ...world.ref(iid), sha })
          await world.settle()
        }
        await expect.poll(() => state(iid)).toBe('merged')
        const merges = world.sandbox.merges().filter(({ mergeRequest }) => mergeRequest.iid === iid)
        expect(merges).toMatchObject([{ mergeRequest: { sha } }])
        const last = accepts(iid).at(-1)
        expect([last?.status, accepts(iid).filter((call) => call.status === 200)]).toEqual([200, [last]])
      },
    )
  })
})
