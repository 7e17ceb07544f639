// Commits, changes and pipelines of a merge request whose branches move and vanish.
import { reading } from '../../../src/sandbox/endpoints/merge-request-reading.ts'
import { type Json, mr, openProject, openWorld, test } from '../sandbox-world.ts'

const titles = (commits: Json): string[] => commits.map((commit: Json) => commit.title)

test('commits come newest first, in pages, with all fields', async ({ withMergeRequest: world }) => {
  const last = await world.write('feature', 'b.txt', 'b')
  const commits = await world.get(`${mr}/commits`)
  expect(titles(commits)).toEqual(['Write b.txt', 'Write feature.txt'])
  expect(commits[0]).toMatchObject({
    id: last.id,
    short_id: last.id.slice(0, 8),
    author_name: 'Administrator',
    author_email: 'admin@example.com',
    created_at: expect.any(String),
    message: expect.stringMatching(/^Write b\.txt/),
  })
  const second = await world.call('GET', `${mr}/commits?per_page=1&page=2`)
  expect(titles(second.body)).toEqual(['Write feature.txt'])
  expect(second.headers.get('x-total')).toBe('2')
})

test('commits and changes that the target has are not listed', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await world.write('feature', 'second.txt', 'second')
  const clone = await world.clone('root/app')
  await world.git(clone, 'merge', '--quiet', '--no-edit', '--no-ff', sha)
  await world.commit(clone, 'own.txt', 'own')
  await world.push(clone, 'master')
  expect(titles(await world.get(`${mr}/commits`))).toEqual(['Write second.txt'])
  const changes = await world.get(`${mr}/changes`)
  expect(changes.changes.map((change: Json) => change.new_path)).toEqual(['second.txt'])
  expect(changes).toMatchObject({ iid: 1, changes_count: '1', overflow: false, merge_status: 'can_be_merged' })
})

test('changes that are read while a push arrives are those of the head that they show', async () => {
  const own = await openWorld()
  const { sha } = await own.mergeRequest()
  const paths = new Map([[sha, ['feature.txt']]])
  const shown = await own.sandbox.within(async (world) => {
    const push = async () => {
      if (paths.size > 1) return
      paths.set((await own.write('feature', 'second.txt', 'second')).id, ['feature.txt', 'second.txt'])
    }
    // The push comes once the changes are being read.
    const text: typeof world.git.text = async (folder, args, ...rest) => {
      if (args[0] === 'diff-tree') await push()
      return world.git.text(folder, args, ...rest)
    }
    const [caller] = world.users.all()
    if (caller === undefined) throw new Error('nobody is there')
    const params = { id: 1, merge_request_iid: 1 }
    return reading.changes({ params, caller, world: { ...world, git: { ...world.git, text } } })
  })
  expect(paths.size).toBe(2)
  if (!('changes' in shown)) throw new Error('no changes are shown')
  expect(shown.changes.map((change) => change.new_path)).toEqual(paths.get(shown.sha ?? ''))
})

test('without its target branch it is shown as it was, and cannot be merged or rebased', async () => {
  const world = await openProject()
  await world.post('/projects/1/repository/branches', { branch: 'release', ref: 'master' })
  await world.write('feature', 'feature.txt', 'new\n')
  const made = { source_branch: 'feature', target_branch: 'release', title: 'Into what goes' }
  await world.post('/projects/1/merge_requests', made)
  await world.delete('/projects/1/repository/branches/release')
  expect(titles(await world.get(`${mr}/commits`))).toEqual(['Write feature.txt'])
  expect((await world.get(`${mr}/changes`)).changes).toHaveLength(1)
  expect(await world.status('PUT', `${mr}/merge`)).toBe(405)
  await world.rebase()
  expect((await world.get(mr)).merge_error).toBe('Rebase failed: the target branch does not exist.')
})

test('pipelines are those of its commits on any branch, newest first, in pages', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await world.post('/projects/1/statuses/master', { state: 'success' })
  await world.report(sha, 'failed')
  await world.post('/projects/1/repository/branches', { branch: 'copy', ref: 'feature' })
  await world.post(`/projects/1/statuses/${sha}`, { state: 'success', ref: 'copy' })
  const { id } = await world.write('feature', 'more.txt', 'more')
  await world.post(`/projects/1/statuses/${id}`, { state: 'running' })
  const pipelines = await world.get(`${mr}/pipelines`)
  expect(pipelines.map(({ sha, ref, status }: Json) => [sha, ref, status])).toEqual([
    [id, 'feature', 'running'],
    [sha, 'copy', 'success'],
    [sha, 'feature', 'failed'],
  ])
  expect(await world.get(`${mr}/pipelines?per_page=2&page=2`)).toMatchObject([{ status: 'failed' }])
  await world.put(`${mr}/merge`)
  expect(await world.get(`${mr}/pipelines`)).toHaveLength(3)
})

test('a missing one is 404, a guest of a private project gets 403', async ({ withMergeRequest: world }) => {
  const guest = await world.member('guest', 10)
  for (const part of ['commits', 'changes', 'pipelines', 'versions', 'closes_issues', 'time_stats', 'notes']) {
    expect(await world.status('GET', `/projects/1/merge_requests/9/${part}`), part).toBe(404)
    expect(await guest.status('GET', `${mr}/${part}`), part).toBe(403)
  }
})

test('changes are listed in pages', async ({ withMergeRequest: world }) => {
  const path = '/projects/1/merge_requests/1'
  await world.write('feature', 'second.txt', 'second\n')
  const { changes, diff_refs } = await world.get(`${path}/changes`)
  const first = await world.call('GET', `${path}/diffs?per_page=1`)
  const second = await world.get(`${path}/diffs?per_page=1&page=2`)
  expect([...first.body, ...second]).toEqual(changes)
  for (const change of changes) expect(change).toMatchObject({ collapsed: false, too_large: false })
  expect(await world.status('GET', `${path}/diffs?per_page=31`)).toBe(500)
  expect(first.headers.get('x-next-page')).toBe('2')
  const [newest] = await world.get(`${path}/versions?per_page=1`)
  expect(diff_refs).toEqual({
    base_sha: newest.base_commit_sha,
    head_sha: newest.head_commit_sha,
    start_sha: newest.start_commit_sha,
  })
})
