// Two refs compared through the API.
import { eachCase, test } from '../../sandbox-world.ts'

test('two refs have a newest commit in common, and what changed since', async ({ withProject: world }) => {
  const base = (await world.get('/projects/1/repository/branches/master')).commit.id
  await world.post('/projects/1/repository/branches', { branch: 'feature', ref: base })
  await world.write('master', 'other.txt', 'other\n')
  await world.write('feature', 'new.txt', 'new\n')
  // The full name is the branch, also where a tag has its short one.
  await world.post('/projects/1/repository/tags', { tag_name: 'feature', ref: 'master' })
  const refs = `refs[]=${base}&refs[]=${encodeURIComponent('refs/heads/feature')}`
  expect(await world.get(`/projects/1/repository/merge_base?${refs}`)).toMatchObject({ id: base })
  const compared = await world.get('/projects/1/repository/compare?from=master&to=refs%2Fheads%2Ffeature')
  expect(compared).toMatchObject({
    commits: [{ title: expect.any(String), parent_ids: [base] }],
    diffs: [{ new_path: 'new.txt', new_file: true, diff: '@@ -0,0 +1 @@\n+new\n' }],
    ...{ compare_same_ref: false, compare_timeout: false },
  })
  expect(compared.commit).toEqual(compared.commits[0])
  const straight = await world.get('/projects/1/repository/compare?from=master&to=refs%2Fheads%2Ffeature&straight=true')
  expect(straight.diffs).toMatchObject([{ new_path: 'new.txt' }, { old_path: 'other.txt', deleted_file: true }])
})

test('a whole id is that commit, whatever has its name', async ({ withProject: world }) => {
  const { id } = (await world.get('/projects/1/repository/branches/master')).commit
  await world.write('master', 'other.txt', 'other\n')
  await world.post('/projects/1/repository/tags', { tag_name: id, ref: 'master' })
  expect((await world.get(`/projects/1/repository/commits/${id}`)).id).toBe(id)
})

test('an unknown ref is refused', async ({ withProject: world }) => {
  await eachCase(
    [
      ['merge_base?refs[]=master&refs[]=none', 400, 'Could not find ref: none'],
      ['merge_base?refs[]=master', 400, 'Provide at least 2 refs'],
      ['compare?from=master&to=none', 404, '404 Commit Not Found'],
    ],
    async ([path, status, message]) => {
      const answer = await world.call('GET', `/projects/1/repository/${path}`)
      expect([answer.status, answer.body.message]).toEqual([status, message])
    },
  )
})
