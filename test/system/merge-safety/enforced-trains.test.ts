// Enforced merge trains refuse plain merges: Bellhop adds to the train, just once. On Redis, the quicker backend.
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: merge, if: { author: alice }, then: { accept: true } }
`

// Bellhop is a maintainer, and no owner.
const enforcements = ['enforce_for_all_users', 'enforce_with_owner_override'] as const

onRedis((url) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: url() })
  })
  afterAll(() => world.end())

  const set = async (merge_train_enforcement: (typeof enforcements)[number] | 'allow_bypass', enabled: boolean) => {
    const { project: id, service } = world
    const { name = '' } = (await service.projects.get({ id })).body
    const trains = { merge_pipelines_enabled: enabled, merge_trains_enabled: enabled, merge_train_enforcement }
    await service.projects.update({ id, name, ...trains })
  }
  const green = async ({ sha, branch }: { sha: string; branch: string }) => {
    await world.pipeline(sha, branch, 'success')
    await world.settle()
  }
  /** What the service answered. */
  const statuses = (iid: number, endpoint: string) =>
    world.sandbox
      .calls()
      .filter((call) => call.endpoint === endpoint && call.params.merge_request_iid === iid)
      .map(({ status }) => status)

  test.each(enforcements)(
    'with %s it is added to the train, which merges it, and no plain merge is tried',
    async (enforcement) => {
      await set(enforcement, true)
      const made = await world.open('On the train')
      await green(made)
      await expect.poll(async () => (await world.mergeRequest(made.iid)).state).toBe('merged')
      expect(statuses(made.iid, 'mergeRequests.accept')).toEqual([])
      expect(statuses(made.iid, 'mergeTrains.add')).toEqual([201])
    },
  )

  test('enforced just before a plain merge: after one refusal it is added to the train', async () => {
    const [enforcement] = enforcements
    await set('allow_bypass', false)
    const made = await world.open('Nearly past the train')
    world.before('mergeRequests.accept', () => set(enforcement, true), { username: 'bellhop' })
    await green(made)
    await expect.poll(async () => (await world.mergeRequest(made.iid)).state).toBe('merged')
    expect(statuses(made.iid, 'mergeRequests.accept')).toEqual([405])
    expect(statuses(made.iid, 'mergeTrains.add')).toEqual([201])
  })
})
