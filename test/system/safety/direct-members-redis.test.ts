// Who is in the group above is no member of a subgroup, whose approval is asked for. On Redis only (backend-independent).
import type { DemoPerson } from '../../../src/cli/demo/small-world.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - name: merge what security approved
    if: { approved_by: { members_of: hotel/security } }
    then: { accept: { pipeline: none } }
  - name: show what everybody may do
    if: { approved_by: { members_of: hotel/security, inherited: true } }
    then: { label: { add: seen } }
`
const developer = 30

onRedis((queueUrl) => {
  let world: TestWorld
  let security: number
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl(), tier: 'free' })
    const { service } = world
    const parent_id = known((await service.projects.get({ id: world.project })).body.namespace?.id)
    security = known((await service.groups.create({ name: 'Security', path: 'security', parent_id })).body.id)
  })
  afterAll(() => world.end())

  /** A Developer of the top-level group, as everybody is. */
  async function newDeveloper(username: string): Promise<DemoPerson & { id: number }> {
    const { service } = world
    const made = await service.users.create({ username, name: username, email: `${username}@example.com` })
    const id = known(made.body.id)
    await service.groups.members.add({ id: 'hotel', user_id: id, access_level: developer })
    const { token } = (await service.users.createToken({ user_id: id, name: 'test', scopes: ['api'] })).body
    return { id, username, token: known(token) }
  }

  test('only the direct member of the subgroup can give its approval', async () => {
    const [bob, carol] = [await newDeveloper('bob'), await newDeveloper('carol')]
    await world.service.groups.members.add({ id: security, user_id: carol.id, access_level: developer })
    const approve = async (iid: number, by: DemoPerson) => {
      await world.as(by).mergeRequests.approve(world.ref(iid))
      await world.settle()
      const { state, labels } = await world.mergeRequest(iid)
      return { state, labels }
    }
    const { iid } = await world.open('Change the lock')
    expect(await approve(iid, bob)).toEqual({ state: 'opened', labels: ['seen'] })
    const [merge] = (await world.decisions(iid))[0]?.rules ?? []
    expect(merge?.conditions).toMatchObject({
      expected: 'a direct member of hotel/security',
      actual: 'none (of "bob")',
      toFix: 'approval by a direct member of hotel/security',
    })
    expect(await approve(iid, carol)).toEqual({ state: 'merged', labels: ['seen'] })
  })
})
