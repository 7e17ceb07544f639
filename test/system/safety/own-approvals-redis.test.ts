// On GitLab Free anybody who may approve counts for the service; here only another person, for the present content.
import type { DemoPerson } from '../../../src/cli/demo/small-world.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - name: merge what is approved
    if: { approved: true }
    then: { accept: { pipeline: none } }
`

onRedis((queueUrl) => {
  let world: TestWorld
  let bob: DemoPerson
  let carol: DemoPerson
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl(), tier: 'free' })
    bob = await newMaintainer('bob')
    carol = await newMaintainer('carol')
  })
  afterAll(() => world.end())

  async function newMaintainer(username: string): Promise<DemoPerson> {
    const { service, project } = world
    const made = await service.users.create({ username, name: username, email: `${username}@example.com` })
    const { id = 0 } = made.body
    await service.projects.members.add({ id: project, user_id: id, access_level: 40 })
    const { token = '' } = (await service.users.createToken({ user_id: id, name: 'test', scopes: ['api'] })).body
    return { username, token }
  }
  const stateOf = async (iid: number) => (await world.mergeRequest(iid)).state
  async function stateAfterApproval(iid: number, by: DemoPerson): Promise<unknown> {
    await world.as(by).mergeRequests.approve(world.ref(iid))
    await world.settle()
    return stateOf(iid)
  }
  const push = (by: DemoPerson, branch: string, path: string) =>
    world.clone.push({ as: by, branch, files: { [path]: `${path}\n` }, message: `Add ${path}` })

  test('its author’s approval merges nothing, and that of another person does', async () => {
    const { iid } = await world.open('Change the lock')
    expect(await stateAfterApproval(iid, world.people.alice)).toBe('opened')
    const [merge] = (await world.decisions(iid))[0]?.rules ?? []
    expect(merge?.conditions).toMatchObject({ actual: 'false (not counted: alice wrote it)' })
    expect(await stateAfterApproval(iid, bob)).toBe('merged')
  })

  test('who pushed to it does not approve it, until somebody else does', async () => {
    const { iid, branch } = await world.open('Change the door')
    await push(bob, branch, 'of-bob')
    expect(await stateAfterApproval(iid, bob)).toBe('opened')
    expect(await stateAfterApproval(iid, carol)).toBe('merged')
  })

  test('an approval does not count for what is pushed after it, until it is given again', async () => {
    const { iid, branch } = await world.open('Draft: Change the window')
    expect(await stateAfterApproval(iid, bob)).toBe('opened')
    await push(world.people.alice, branch, 'more')
    await world.as(world.people.alice).mergeRequests.update({ ...world.ref(iid), title: 'Change the window' })
    await world.settle()
    expect(await stateOf(iid)).toBe('opened')
    await world.as(bob).mergeRequests.unapprove(world.ref(iid))
    expect(await stateAfterApproval(iid, bob)).toBe('merged')
  })

  test('a reviewer who pressed Rebase still approves: a rebase changes no content', async () => {
    const { iid } = await world.open('Draft: Change the roof')
    await push(carol, 'master', `on-master-${iid}`)
    await world.as(bob).mergeRequests.rebase(world.ref(iid))
    await world.settle()
    await world.as(world.people.alice).mergeRequests.update({ ...world.ref(iid), title: 'Change the roof' })
    expect(await stateAfterApproval(iid, bob)).toBe('merged')
  })

  test('an approval does not follow a rebase onto another branch, by which the author adds content, back to the target', async () => {
    const { iid } = await world.open('Draft: Change the cellar')
    expect(await stateAfterApproval(iid, bob)).toBe('opened')
    const { alice } = world.people
    await push(alice, 'of-alice', 'unseen')
    const author = world.as(alice).mergeRequests
    await author.update({ ...world.ref(iid), target_branch: 'of-alice' })
    await author.rebase(world.ref(iid))
    await world.settle()
    await author.update({ ...world.ref(iid), target_branch: 'master', title: 'Change the cellar' })
    await world.settle()
    expect(await stateOf(iid)).toBe('opened')
  })
})
