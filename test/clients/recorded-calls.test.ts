// The calls of Renovate 39 and changesets-gitlab 0.13, as a run of each made them: what they then read is there.
import { type Json, openWorld, test, type World } from '../sandbox/sandbox-world.ts'

const app = '/projects/root%2Fapp'

/** A project of root, and the program’s own account with a branch of one commit. */
async function openBranch(branch: string) {
  const world = await openWorld({ tier: 'free' })
  await world.project()
  const bot = await world.member('bot', 40)
  const file = { branch, start_branch: 'master', commit_message: 'Change it', content: 'x' }
  await bot.post(`${app}/repository/files/change.txt`, file)
  return { world, bot }
}

/** What Renovate reads first in each run. */
async function begin({ get }: Pick<World, 'get'>) {
  expect(await get('/user')).toMatchObject({ username: 'bot', email: 'bot@example.com' })
  expect((await get('/version')).version).toMatch(/^\d+\./)
  const project = await get(app)
  expect(project).toMatchObject({ default_branch: 'master', archived: false, merge_method: 'merge' })
  expect(project).toMatchObject({ merge_requests_enabled: true, http_url_to_repo: expect.any(String) })
  const list: Json[] = await get(`${app}/merge_requests?per_page=100&scope=created_by_me`)
  await get(`${app}/issues?per_page=100&state=opened&scope=created_by_me`)
  return list
}

test('Renovate opens a merge request, has it merged by the service, and finds it merged', async () => {
  const { world, bot } = await openBranch('renovate/left-pad-1.x')
  expect(await begin(bot)).toEqual([])
  expect(await bot.status('GET', '/projects/root%2Frenovate-config')).toBe(404)
  const branches = { source_branch: 'renovate/left-pad-1.x', target_branch: 'master' }
  const given = { ...branches, remove_source_branch: true, title: 'Update left-pad', description: '- [ ] rebase' }
  const { iid, sha } = await bot.post(`${app}/merge_requests`, given)
  const mr = `${app}/merge_requests/${iid}`
  // It waits until the service has a pipeline for the head, and knows whether it can be merged.
  expect(await bot.get(mr)).toMatchObject({ sha, head_pipeline: null, pipeline: null, merge_status: 'can_be_merged' })
  await world.report(sha, 'running')
  expect(await bot.get(mr)).toMatchObject({ head_pipeline: { sha, status: 'running' } })
  await bot.put(`${mr}/merge`, { should_remove_source_branch: true, merge_when_pipeline_succeeds: true })
  expect(await bot.get(`${app}/repository/commits/${sha}/statuses`)).toMatchObject([{ status: 'running' }])
  expect(await bot.get(`${mr}?include_diverged_commits_count=1`)).toMatchObject({ diverged_commits_count: 0 })
  expect(await bot.status('GET', `${app}/repository/files/renovate.json?ref=HEAD`)).toBe(404)
  const dashboard = await bot.post(`${app}/issues`, { title: 'Dependency Dashboard', description: 'Updates' })
  await world.report(sha, 'success')
  await world.idle()
  const [listed] = await begin(bot)
  expect(listed).toMatchObject({ iid, state: 'merged', merged_at: expect.any(String), merged_by: { username: 'bot' } })
  await bot.put(`${app}/issues/${dashboard.iid}`, { title: 'Dependency Dashboard', description: 'None', labels: '' })
  expect(await bot.status('GET', `${app}/repository/branches/renovate%2Fleft-pad-1.x`)).toBe(404)
})

test('changesets finds its merge request of versions again, and changes its comment', async () => {
  const { world, bot } = await openBranch('changeset-release/master')
  const branches = { source_branch: 'changeset-release/master', target_branch: 'master' }
  const find = () =>
    bot.get(`/projects/1/merge_requests?${new URLSearchParams({ ...branches, state: 'opened', per_page: '1' })}`)
  expect(await find()).toEqual([])
  await bot.post('/projects/1/merge_requests', { ...branches, title: 'Version Packages', description: 'One' })
  const [{ iid }] = await find()
  await bot.put(`/projects/1/merge_requests/${iid}`, { title: 'Version Packages', description: 'Two' })
  expect(await find()).toMatchObject([{ iid, description: 'Two' }])
  const mr = `/projects/1/merge_requests/${iid}`
  expect(await bot.list('new_path', `${mr}/diffs`)).toEqual(['change.txt'])
  await world.post(`${mr}/notes`, { body: 'by a person' })
  await bot.post(`${mr}/discussions`, { body: 'No changeset' })
  const threads: Json[] = await bot.get(`${mr}/discussions`)
  const { id } = await bot.get('/user')
  const own = threads.find(({ notes: [first] }) => first.author.id === id)
  await bot.put(`${mr}/discussions/${own.id}/notes/${own.notes[0].id}`, { body: 'One changeset' })
  expect((await bot.get(`${mr}/discussions`)).map(({ notes }: Json) => notes.map(({ body }: Json) => body))).toEqual([
    ['by a person'],
    ['One changeset'],
  ])
})
