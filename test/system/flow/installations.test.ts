// Bellhop does the same on GitLab Premium and Free, or says why not. On Redis, the quicker backend.
import { onRedis } from '../../servers/on-redis.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: plan, if: { labels: { any: [plan] } }, then: { milestone: "17.0" } }
  - name: share
    if: { labels: { any: [share] } }
    then: { assign: [alice, bellhop], review: [bellhop, alice] }
  - { name: owners, if: { labels: { any: [owners] } }, then: { review: { from: code_owners } } }
`

onRedis((url) => {
  describe.each(['premium', 'free'] as const)('on %s', (tier) => {
    const isFree = tier === 'free'
    let world: TestWorld
    beforeAll(async () => {
      world = await startTestWorld({ rules, tier, queueUrl: url() })
      await world.service.groups.milestones.create({ id: 'hotel', title: '17.0' })
    })
    afterAll(() => world.end())

    test('a milestone of the group is found', async () => {
      const { iid } = await world.open('Plan it')
      await world.update(iid, { labels: 'plan' })
      expect((await world.mergeRequest(iid)).milestone?.title).toBe('17.0')
    })
    test('several assignees and reviewers are kept, or those whom Free drops are shown', async () => {
      const { iid } = await world.open('Share it')
      await world.update(iid, { labels: 'share' })
      const { assignees, reviewers } = await world.mergeRequest(iid)
      const names = (users: typeof assignees) => users?.map(({ username }) => username)
      const results = world.calls(iid).map(({ result }) => result)
      await world.update(iid, { title: 'Share it again' })
      expect(world.calls(iid)).toHaveLength(1)
      const { actions } = (await world.decisions(iid))[0]?.rules.find(({ name }) => name === 'share') ?? {}
      if (!isFree) {
        expect([names(assignees), names(reviewers), results]).toEqual([
          ['alice', 'bellhop'],
          ['bellhop', 'alice'],
          ['done'],
        ])
        expect(actions?.map(({ result }) => result)).toEqual(['done_before', 'done_before'])
        return
      }
      expect([names(assignees), names(reviewers), results]).toEqual([['alice'], ['bellhop'], ['dropped']])
      expect(actions).toMatchObject([
        { action: 'assign', result: 'blocked', detail: expect.stringContaining('the service dropped "bellhop"') },
        { action: 'review', result: 'blocked', detail: expect.stringContaining('the service dropped "alice"') },
      ])
    })
    test('owners of the code are asked by the file of the default branch, without who is busy', async () => {
      const { people, service } = world
      const zoe = known(
        (await service.users.create({ username: 'zoe', name: 'Zoe', email: 'zoe@example.com' })).body.id,
      )
      await service.groups.members.add({ id: 'hotel', user_id: zoe, access_level: 30 })
      const token = known((await service.users.createToken({ user_id: zoe, name: 'zoe', scopes: ['api'] })).body.token)
      await world.as({ ...people.alice, token }).users.setStatus({ availability: 'busy' })
      const files = { CODEOWNERS: '* @alice @zoe @renovate-bot\n' }
      await world.clone.push({ as: people.renovate, branch: 'master', files, message: 'Add the owners' })
      const { iid } = await world.open('Ask an owner')
      await world.update(iid, { labels: 'owners' })
      expect((await world.mergeRequest(iid)).reviewers?.map(({ username }) => username)).toEqual(['renovate-bot'])
    })
  })
})
