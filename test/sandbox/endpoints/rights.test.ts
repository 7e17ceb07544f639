// The level that each endpoint that writes asks for, that an archived project refuses it, and what Free does not have.
import { eachCase, openMergeRequest } from '../sandbox-world.ts'

const [reporter, developer, maintainer] = [20, 30, 40]
const mr = '/merge_requests/1'
const commit = { branch: 'master', commit_message: 'm', actions: [{ action: 'create', file_path: 'a', content: 'a' }] }
const release = { tag_name: 'v2', ref: 'master', name: 'Two' }
const deployed = { environment: 'production', sha: 'master', ref: 'master', tag: false, status: 'running' }

const writes: [number, string, string, object, 'also archived'?][] = [
  [reporter, 'POST', '/labels', { name: 'b', color: 'red' }],
  [reporter, 'DELETE', '/labels/a', {}],
  [reporter, 'POST', '/milestones', { title: 'Two' }],
  [reporter, 'PUT', '/milestones/1', { title: 'Two' }],
  [developer, 'POST', '/wikis', { title: 'B', content: 'b' }],
  [developer, 'PUT', '/wikis/A', { content: 'b' }],
  [developer, 'DELETE', '/wikis/A', {}],
  [developer, 'POST', '/releases', release],
  [developer, 'PUT', '/releases/v1', release],
  [developer, 'DELETE', '/releases/v1', {}],
  [developer, 'POST', '/deployments', deployed],
  [developer, 'PUT', '/deployments/1', { status: 'success' }],
  [developer, 'POST', '/repository/branches', { branch: 'b', ref: 'master' }],
  [developer, 'DELETE', '/repository/branches/feature', {}],
  [developer, 'POST', '/repository/tags', { tag_name: 'v2', ref: 'master' }],
  [developer, 'DELETE', '/repository/tags/v1', {}],
  [developer, 'POST', '/repository/commits', commit],
  [developer, 'POST', '/statuses/master', { state: 'success' }],
  [developer, 'POST', `${mr}/time_estimate`, { duration: '1h' }],
  [developer, 'POST', `${mr}/reset_time_estimate`, {}],
  [developer, 'POST', `${mr}/add_spent_time`, { duration: '1h' }],
  [developer, 'POST', `${mr}/reset_spent_time`, {}],
  [maintainer, 'PUT', '', { description: 'new' }],
  [maintainer, 'POST', '/share', { group_id: 2, group_access: 30 }],
  [maintainer, 'DELETE', '/share/2', {}],
  [maintainer, 'POST', '/mirror/pull', {}],
  [maintainer, 'POST', '/protected_branches', { name: 'x' }],
  [maintainer, 'POST', '/push_rule', { member_check: true }],
  [maintainer, 'DELETE', '/push_rule', {}],
  [maintainer, 'POST', '/housekeeping', {}, 'also archived'],
]

test('a level below gets 403, and so does everybody in an archived project', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  for (const [path, given] of [
    ['labels', { name: 'a', color: 'red' }],
    ['milestones', { title: 'One' }],
    ['wikis', { title: 'A', content: 'a' }],
    ['releases', { ...release, tag_name: 'v1' }],
    ['deployments', deployed],
  ] as const)
    await world.post(`/projects/1/${path}`, given)
  const tokenBelow = new Map([
    [reporter, (await world.member('guest', 10)).token],
    [developer, (await world.member('reporter', reporter)).token],
    [maintainer, (await world.member('developer', developer)).token],
  ])
  await eachCase(writes, async ([level, method, path, body]) =>
    expect(await world.status(method, `/projects/1${path}`, body, tokenBelow.get(level))).toBe(403),
  )
  await world.post('/projects/1/archive')
  await eachCase(writes, async ([, method, path, body, archived]) =>
    expect((await world.status(method, `/projects/1${path}`, body)) === 403).toBe(archived === undefined),
  )
})

test('what is of Premium alone is not found on Free', async () => {
  const world = await openMergeRequest({ tier: 'free' })
  await world.group('Team')
  const [unknown, missing] = [{ error: '404 Not Found' }, { message: '404 Not found' }]
  await eachCase(
    [
      ['GET', '/groups/team/hooks', undefined, missing],
      ['POST', '/groups/team/hooks', { url: 'http://127.0.0.1:1/hook' }, missing],
      ['GET', '/projects/1/approvals', undefined, missing],
      ['POST', '/projects/1/approvals', { reset_approvals_on_push: true }, missing],
      ['POST', '/projects/1/push_rule', { member_check: true }, unknown],
      ['GET', `/projects/1${mr}/blocks`, undefined, unknown],
    ] as const,
    async ([method, path, body, answer]) => expect(await world.answer(method, path, body)).toEqual([404, answer]),
  )
})
