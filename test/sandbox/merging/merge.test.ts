// What a merge makes of the branches, seen by a clone.
import { mr, openMergeRequest, openWorld, test } from '../sandbox-world.ts'

test('a merge commit has target and source as parents and names both branches and the title', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const before = await world.get('/projects/1/repository/branches/master')
  const merged = await world.put(`${mr}/merge`)
  expect(merged).toMatchObject({
    state: 'merged',
    should_remove_source_branch: null,
    detailed_merge_status: 'not_open',
  })
  const commit = await world.get(`/projects/1/repository/commits/${merged.merge_commit_sha}`)
  expect(commit).toMatchObject({ parent_ids: [before.commit.id, sha], author_name: 'Administrator' })
  expect(commit.message.trim()).toBe("Merge branch 'feature' into 'master'\n\nAdd the feature")
  expect((await world.get('/projects/1/repository/branches/feature')).merged).toBe(true)
  expect(await world.inRepository(1, 'rev-parse', 'master')).toBe(merged.merge_commit_sha)
})

test('squash makes one commit of all, by the author, with the title as its message', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  await world.write('feature', 'second.txt', 'second')
  const merged = await world.put(`${mr}/merge`, { squash: true, merge_commit_message: 'As one' })
  expect(merged.squash).toBe(true)
  const commit = await world.get(`/projects/1/repository/commits/${merged.merge_commit_sha}`)
  expect(commit.title).toBe('As one')
  const squashed = await world.get(`/projects/1/repository/commits/${commit.parent_ids[1]}`)
  expect(squashed.message.trim()).toBe('Add the feature')
  expect((await world.inRepository(1, 'log', '--format=%s', 'master')).split('\n').sort()).toEqual([
    'Add the feature',
    'As one',
    'Begin',
  ])
  expect(await world.inRepository(1, 'branch', '--contains', sha)).toBe('feature')
  expect(await world.inRepository(1, 'ls-tree', '--name-only', 'master')).toBe('README.md\nfeature.txt\nsecond.txt')
})

test.each([
  [{ should_remove_source_branch: true }, {}, 404],
  [{}, { remove_source_branch: true }, 404],
  [{ should_remove_source_branch: false }, { remove_source_branch: true }, 200],
  [{}, {}, 200],
])('merged with %o and made with %o, the source branch answers %i', async (merge, create, status) => {
  const world = await openMergeRequest({ mr: create })
  await world.put(`${mr}/merge`, merge)
  expect(await world.status('GET', '/projects/1/repository/branches/feature')).toBe(status)
})

test('a merged merge request still shows commits and changes', async ({ withMergeRequest: world }) => {
  await world.put(`${mr}/merge`, { should_remove_source_branch: true })
  expect(await world.list('title', `${mr}/commits`)).toEqual(['Write feature.txt'])
  expect((await world.get(`${mr}/changes`)).changes).toMatchObject([{ new_path: 'feature.txt', new_file: true }])
  expect((await world.get(mr)).changes_count).toBe('1')
})

test('a merge sends hooks for the push to the target, the removed source, and the merge', async () => {
  const world = await openMergeRequest()
  const hooks = await world.receiver({ push_events: true, merge_requests_events: true })
  const { merge_commit_sha } = await world.put(`${mr}/merge`, { should_remove_source_branch: true })
  expect(await hooks.events()).toEqual(['push refs/heads/master', 'push refs/heads/feature', 'merge_request merge'])
  const [push, removal, merge] = hooks.received.map(({ payload }) => payload)
  expect(push).toMatchObject({ after: merge_commit_sha, total_commits_count: 2, user_username: 'root' })
  expect(removal).toMatchObject({ after: '0'.repeat(40), checkout_sha: null, commits: [] })
  expect(merge.object_attributes).toMatchObject({ state: 'merged', merge_commit_sha, merge_user_id: 1 })
})

test.each([
  ['never', true, false],
  ['always', false, true],
  ['default_on', undefined, true],
  ['default_on', false, false],
  ['default_off', undefined, false],
  ['default_off', true, true],
])('with squash_option %s, squash %s makes %s', async (squash_option, squash, expected) => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest({
    project: { squash_option },
    ...(squash !== undefined && { mr: { squash } }),
  })
  expect(await world.get(mr)).toMatchObject({ squash_on_merge: expected })
  const { merge_commit_sha } = await world.put(`${mr}/merge`, squash === undefined ? {} : { squash })
  const { parent_ids } = await world.get(`/projects/1/repository/commits/${merge_commit_sha}`)
  expect(parent_ids.includes(sha)).toBe(!expected)
})
