// How many people the groups of rules are, on a sandbox whose top-level group has everybody.
import { ownFolder } from '../own-folder.ts'
import { bellhopHere as bellhop } from '../run-here.ts'
import { useScenario } from '../scenario-service.ts'

const { write: file } = ownFolder()

const text = `version: 1
users: [{ username: alice }, { username: bob }, { username: gita }, { username: bellhop, bot: true }]
groups:
  - { path: acme, members: { alice: maintainer, bob: developer, gita: reporter, bellhop: maintainer } }
  - { path: acme/web, members: { bob: developer, gita: reporter } }
  - { path: acme/bots, members: { bellhop: maintainer } }
projects:
  - { path: acme/app, files: { a: b } }
`
const service = useScenario({ text })
beforeAll(async () => {
  // Who makes a group is its owner: that is root, whom no rule here means.
  const root = (await service.root.users.current({})).body.id as number
  for (const id of ['acme/web', 'acme/bots']) await service.root.groups.members.remove({ id, user_id: root })
})

const rule = (name: string, condition: string, then = '{ subscribe: true }') =>
  `  - { name: ${name}, if: ${condition}, then: ${then} }\n`
const ruleText = (...rules: string[]) => `version: 1\nrules:\n${rules.join('')}`
const online = (path: string, ...more: string[]) =>
  bellhop(['check', '--online', '--project', 'acme/app', path, ...more], service.environment)
/** What is said about the groups of the rules, without their places. */
async function said(...rules: string[]) {
  const { out } = await online(file('groups.yml', ruleText(...rules)))
  return out.split('\n').flatMap((line) => line.match(/(?:warning|info): .*/)?.[0].replace(/rules\S+ /, '') ?? [])
}
const approvedBy = (members: string) => rule('one', `{ approved_by: { members_of: ${members} } }`)

describe('check --online', () => {
  test('says how many people a group is, with the level that the rule asks for', async () => {
    expect(await said(approvedBy('acme/web'))).toEqual([
      'info: who is a direct member of acme/web, other than Bellhop: 2 people',
    ])
    expect(await said(approvedBy('acme/web, access: developer'))).toEqual([
      'info: who is a direct member of acme/web with developer or above, other than Bellhop: 1 person',
    ])
  })

  test('warns of a group that is nobody, or nobody with this level', async () => {
    expect(
      await said(approvedBy('acme/bots'), rule('two', '{ author: { members_of: acme/web, access: owner } }')),
    ).toEqual([
      'warning: nobody other than Bellhop is a direct member of acme/bots',
      'warning: nobody other than Bellhop is a direct member of acme/web with owner or above',
      'info: who is a direct member of acme/bots, other than Bellhop: 0 people',
      'info: who is a direct member of acme/web with owner or above, other than Bellhop: 0 people',
    ])
  })

  test('warns where everybody who may approve in the project may give the approval', async () => {
    expect(await said(approvedBy('acme/web, inherited: true'))).toEqual([
      'warning: everybody who may approve in the project is a member of acme/web',
      'info: who is a member of acme/web, other than Bellhop: 4 people',
    ])
    expect(await said(approvedBy('acme'))).toContain(
      'warning: everybody who may approve in the project is a direct member of acme',
    )
    // Not everybody is a Maintainer, and an author or a reviewer may be anybody.
    const others = [
      approvedBy('acme, access: maintainer'),
      rule('two', '{ author: { members_of: acme } }'),
      rule('three', '{ draft: false }', '{ review: { from: { members_of: acme } } }'),
    ]
    expect((await said(...others)).filter((line) => line.startsWith('warning'))).toEqual([])
  })

  test('warns of groups that it cannot see, once for each place', async () => {
    const inReview = rule('two', '{ draft: false }', '{ review: { from: { members_of: acme/none } } }')
    const unseen = 'warning: the group acme/none does not exist, or Bellhop cannot see it'
    expect(await said(approvedBy('acme/none'), inReview)).toEqual([unseen, unseen])
  })

  test('gives information with its place, no warnings, to programs too', async () => {
    const path = file('one.yml', ruleText(approvedBy('acme/web')))
    const { code, out } = await online(path, '--strict')
    expect([code, out]).toEqual([
      0,
      `${path}:3:51: info: rules[0].if.approved_by.members_of: who is a direct member of acme/web, other than Bellhop: 2 people\n1 file without problems.\n`,
    ])
    expect(JSON.parse((await online(path, '--format', 'json')).out)).toMatchObject({
      warnings: [],
      information: [{ file: path, line: 3, path: 'rules[0].if.approved_by.members_of' }],
    })
  })

  test('reads a list once, however many rules name it', async () => {
    const rules = [approvedBy('acme/web'), approvedBy('acme/web, access: owner').replace('one', 'two')]
    const before = service.called.length
    await said(...rules)
    const called = service.called.slice(before).filter((name) => name.startsWith('groups.'))
    expect(called).toEqual(['groups.members.list'])
  })
})
