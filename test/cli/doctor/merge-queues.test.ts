// `bellhop doctor` on projects with merge queues: what keeps them from building and landing, and what to do.
import { examineMergeQueues } from '../../../src/cli/doctor/merge-queues.ts'
import { createClient } from '../../../src/client/create-client.ts'
import { useScenario } from '../scenario-service.ts'

const rules = (settings = '', target = 'master') => `
    files:
      .bellhop.yml: |
        version: 1
        queues: [{ name: main, target: ${JSON.stringify(target)}${settings} }]
        rules: [{ name: merge, command: queue, then: { accept: { queue: main } } }]`
const mergeRequest = (pipeline = '') => `
    merge_requests: [{ title: Change, author: alice, source_branch: change, files: { a.md: a }${pipeline} }]`
const tested = mergeRequest(', pipeline: success')

const text = `
version: 1
users: [{ username: alice }, { username: bellhop, bot: true }]
groups: [{ path: inn, members: { bellhop: maintainer, alice: developer } }]
projects:
  - path: inn/plain
    files: { README.md: hello }
  - path: inn/fine${rules()}${tested}
  - path: inn/untested${rules()}
  - path: inn/mr
    pipelines: [{ branches: "*", kind: merge_request, takes: 1s }]${rules()}${mergeRequest()}
  - path: inn/drafts
    pipelines: [{ branches: "*", kind: merge_request, takes: 1s }]${rules(', pipelines: merge_request')}${mergeRequest()}
  - path: inn/rebases
    merge_method: ff
    automatic_rebase_enabled: true${rules()}${tested}
  - path: inn/automatic
    merge_method: ff
    automatic_rebase_enabled: true${rules(', test: rebase')}${tested}
  - path: inn/shut
    protected_branches: [{ name: "bellhop/*", push: administrator }, { name: master, push: nobody, merge: nobody }]${rules()}${tested}
  - path: inn/pushes
    protected_branches: [{ name: master, push: nobody, merge: maintainer }]${rules(', land: push')}${tested}
  - path: inn/releases
    protected_branches: [{ name: release/1, push: administrator, merge: administrator }]${rules('', 'release/*')}${tested}
  - path: inn/both${rules(' }, { name: releases, target: "release/*"')}${tested}
  - path: inn/signed${rules()}${tested}
  - path: inn/none${rules('', 'release/*')}${tested}
  - path: inn/misspelt${rules('', 'main')}${tested}
`

const service = useScenario({ text })
beforeAll(async () => {
  const { id: project_id = 0 } = (await service.root.projects.get({ id: 'inn/signed' })).body
  const rule = (await service.root.projects.pushRule.create({ id: project_id, max_file_size: 5 })).body
  await service.sandbox.within(async ({ pushRules }) =>
    pushRules.update(rule.id ?? 0, { reject_unsigned_commits: true }),
  )
  for (const id of ['inn/releases', 'inn/both'])
    for (const branch of ['release/1', 'release/2'])
      await service.root.repository.branches.create({ id, branch, ref: 'master' })
})

async function examine(path: string) {
  const id = (await service.root.projects.get({ id: path })).body.id as number
  const client = createClient({ baseUrl: service.sandbox.url, token: service.tokens.bellhop ?? '' })
  const me = (await client.users.current({})).body.id as number
  const where = { folder: '/nowhere', mode: 'act' as const, me }
  return (await examineMergeQueues(client, [{ id, path }], where)).map(({ is, message, remedy }) => {
    expect(remedy === undefined).toBe(is === 'ok')
    return `${is} ${message}`
  })
}

test.each([
  ['plain', []],
  ['fine', [/^ok inn\/fine: the merge queue main into master can build and land\.$/]],
  ['untested', [/^warn .* the project has no pipelines/]],
  ['mr', [/^fail .* only merge requests get pipelines/]],
  ['drafts', [/^ok inn\/drafts: .* can build and land\.$/]],
  ['rebases', [/^fail .* lands nothing: the project does not merge with merge commits/]],
  ['automatic', [/^fail .* lands nothing: the project rebases automatically/]],
  ['shut', [/^fail .* may not push branches bellhop\/queue\/\*\.$/, /^fail .* may not merge into master\.$/]],
  ['pushes', [/^fail .* may not push to master \(land: push\)\.$/]],
  [
    'releases',
    [/^fail .* main into release\/1 \(one of release\/\*\) cannot land: the bot may not merge into release\/1\.$/],
  ],
  ['signed', [/^fail .* cannot build: the service takes only signed commits/]],
  ['both', [/^ok .* main into master can/, /^ok .* releases into release\/1 \(one of release\/\*\) can/]],
  [
    'none',
    [
      /^warn .* main into release\/\* was not examined: of the project’s first 100 branches, it is the queue of none\.$/,
    ],
  ],
  [
    'misspelt',
    [/^warn .* main into main was not examined: the project has no branch main, or another queue has it\.$/],
  ],
])('inn/%s', async (path, expected) => {
  expect(await examine(`inn/${path}`)).toEqual(expected.map((each) => expect.stringMatching(each)))
  expect(service.writes()).toEqual([])
})
