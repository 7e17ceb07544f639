// Scenarios built in a sandbox.
import { createVirtualClock } from '../../sandbox/virtual-clock.ts'
import { startScenario } from '../scenario-service.ts'

async function build(...given: Parameters<typeof startScenario>) {
  const service = await startScenario(...given)
  onTestFinished(() => service.close())
  return service
}

test('the scenario of a release freeze: subgroups, approvals, milestone, an issue, a closed merge request', async () => {
  const { projects, root } = await build({ file: 'scenarios/release-freeze.yml' })
  const id = projects[0]?.id ?? 0
  const { body } = await root.mergeRequests.list({ id, sort: 'asc' })
  expect(body.map((mr) => [mr.title, mr.state, mr.milestone?.title, mr.assignee?.username])).toEqual([
    ['Light the stove', 'opened', '2.0', undefined],
    ['Paint the stove', 'opened', undefined, 'carol'],
    ['A smaller stove', 'closed', undefined, undefined],
  ])
  const approvals = await root.mergeRequests.approvals({ id, merge_request_iid: 1 })
  expect(approvals.body).toMatchObject({
    approvals_required: 1,
    approvals_left: 0,
    approved_by: [{ user: { username: 'carol' } }],
  })
  const closes = await root.mergeRequests.closesIssues({ id, merge_request_iid: 1 })
  expect(closes.body).toMatchObject([{ title: 'The stove does not light' }])
})

test('a scenario may change and delete files, merge a merge request, and give a person projects', async () => {
  const { projects, root } = await build({
    text: `
version: 1
users: [{ username: alice }]
projects:
  - path: alice/tools
    files: { a.txt: one, b.txt: two }
    merge_requests:
      - title: Tidy
        author: alice
        source_branch: tidy
        files: { a.txt: three, b.txt: ~ }
        state: merged
`,
  })
  const id = projects[0]?.id ?? 0
  expect((await root.projects.get({ id })).body).toMatchObject({
    path_with_namespace: 'alice/tools',
    namespace: { kind: 'user' },
  })
  expect((await root.mergeRequests.get({ id, merge_request_iid: 1 })).body.state).toBe('merged')
  expect((await root.repository.files.raw({ id, file_path: 'a.txt', ref: 'master' })).body).toBe('three')
  await expect(root.repository.files.raw({ id, file_path: 'b.txt', ref: 'master' })).rejects.toMatchObject({
    status: 404,
  })
})

test('a scenario has every switch of merging, reviewers, who may push, and how pipelines go', async () => {
  const clock = createVirtualClock()
  const switches = {
    only_allow_merge_if_pipeline_succeeds: true,
    only_allow_merge_if_all_discussions_are_resolved: true,
    allow_merge_on_skipped_pipeline: true,
    squash_option: 'always',
    merge_method: 'ff',
    merge_pipelines_enabled: true,
    merge_trains_enabled: true,
  }
  const fix = { title: 'Fix', author: 'alice', source_branch: 'fix/one', files: { 'a.txt': 'one' }, reviewers: ['bob'] }
  const project = {
    ...{ path: 'alice/tools', members: { bob: 'developer' }, ...switches, merge_requests: [fix] },
    protected_branches: [{ name: 'master', push: 'nobody', merge: 'developer' }],
    pipelines: [{ branches: 'fix/*', kind: 'merge_request', takes: '1m', ends: ['failed', 'success'] }],
  }
  const users = [{ username: 'alice' }, { username: 'bob' }]
  const text = JSON.stringify({ version: 1, users, projects: [project] })
  const { sandbox, projects, root } = await build({ text }, { clock })
  const id = projects[0]?.id ?? 0
  expect((await root.projects.get({ id })).body).toMatchObject(switches)
  expect((await root.projects.protectedBranches.list({ id })).body).toMatchObject([
    { name: 'master', push_access_levels: [{ access_level: 0 }], merge_access_levels: [{ access_level: 30 }] },
  ])
  const mergeRequest = async () => (await root.mergeRequests.get({ id, merge_request_iid: 1 })).body
  expect(await mergeRequest()).toMatchObject({ reviewers: [{ username: 'bob' }], squash_on_merge: true })
  const status = async () => {
    clock.advance(60_000)
    await sandbox.idle()
    return (await mergeRequest()).head_pipeline?.status
  }
  expect(await status()).toBe('failed')
  await root.repository.pipelines.retry({ id, pipeline_id: 1 })
  expect(await status()).toBe('success')
})
