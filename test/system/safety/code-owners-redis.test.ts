// Code owners have to approve on every tier: a merge, and a status that names who is missing. On Redis only
// (backend-independent).
import type { DemoPerson } from '../../../src/cli/demo/small-world.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - name: one gate
    if: { code_owners_approved: true }
    then: { status: { name: bellhop/policy, while: success } }
  - name: merge what its owners approved
    if: { code_owners_approved: true }
    then: { accept: { pipeline: none } }
`
const owners = `
* @bob

[docs]
*.md @hotel/docs

^[advice]
*.md @hotel
`
const developer = 30

onRedis((queueUrl) => {
  describe.each(['free', 'premium'] as const)('on %s', (tier) => {
    let world: TestWorld
    let bob: DemoPerson
    let carol: DemoPerson
    beforeAll(async () => {
      const settings = { BELLHOP_PUBLIC_URL: 'https://bellhop.example.com/' }
      world = await startTestWorld({ rules, queueUrl: queueUrl(), tier, settings })
      const { service } = world
      const parent_id = known((await service.projects.get({ id: world.project })).body.namespace?.id)
      const docs = known((await service.groups.create({ name: 'Docs', path: 'docs', parent_id })).body.id)
      bob = await newDeveloper('bob')
      carol = await newDeveloper('carol')
      await service.groups.members.add({ id: docs, user_id: await idOf('carol'), access_level: developer })
      await push(world.people.renovate, 'master', { '.gitlab/CODEOWNERS': owners })
    })
    afterAll(() => world.end())

    const push = (as: DemoPerson, branch: string, files: Record<string, string>) =>
      world.clone.push({ as, branch, files, message: 'Change it' })
    const idOf = async (username: string) => known((await world.service.users.list({ username })).body[0]?.id)
    async function newDeveloper(username: string): Promise<DemoPerson> {
      const made = await world.service.users.create({ username, name: username, email: `${username}@example.com` })
      const id = known(made.body.id)
      await world.service.groups.members.add({ id: 'hotel', user_id: id, access_level: developer })
      const { token } = (await world.service.users.createToken({ user_id: id, name: 'test', scopes: ['api'] })).body
      return { username, token: known(token) }
    }
    async function stateAfterApproval(iid: number, by: DemoPerson): Promise<unknown> {
      await world.as(by).mergeRequests.approve(world.ref(iid))
      await world.settle()
      return (await world.mergeRequest(iid)).state
    }
    /** The state, text and link of the status on its head. */
    async function policyOf(iid: number) {
      const sha = known((await world.mergeRequest(iid)).sha ?? undefined)
      const listed = await world.service.repository.statuses.list({ id: world.project, sha, name: 'bellhop/policy' })
      return listed.body.map(({ status, description, target_url }) => [status, description, target_url])
    }
    const page = (iid: number) => `https://bellhop.example.com/admin/merge-requests/${world.project}/${iid}`

    test('each required section of the target branch needs its owners, and the status names who is missing', async () => {
      const { iid } = await world.open('Explain the lock')
      const both = 'To fix: CODEOWNERS: needs 1 of @bob; docs: needs 1 of @hotel/docs'
      expect(await policyOf(iid)).toEqual([['failed', both, page(iid)]])
      expect(await stateAfterApproval(iid, world.people.alice)).toBe('opened')
      expect(await policyOf(iid)).toEqual([['failed', both, page(iid)]])
      expect(await stateAfterApproval(iid, bob)).toBe('opened')
      expect(await policyOf(iid)).toEqual([['failed', 'To fix: docs: needs 1 of @hotel/docs', page(iid)]])
      expect(await stateAfterApproval(iid, carol)).toBe('merged')
      expect(await policyOf(iid)).toEqual([['success', 'A rule matches.', page(iid)]])
    })

    test('a branch that makes its friends the owners is owned as the target branch says', async () => {
      const files = { '.gitlab/CODEOWNERS': '* @hotel\n', CODEOWNERS: '* @carol\n', 'of-mallory.txt': 'open\n' }
      const { iid } = await world.open('Own the lock', { files })
      expect(await stateAfterApproval(iid, carol)).toBe('opened')
      expect(await policyOf(iid)).toEqual([['failed', 'To fix: CODEOWNERS: needs 1 of @bob', page(iid)]])
      expect(await stateAfterApproval(iid, bob)).toBe('merged')
    })
  })
})
