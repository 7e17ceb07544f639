// The push events of a project: who moved which branches and tags.
import { type Json, openMergeRequest, test, type World } from '../sandbox-world.ts'

const events = '/projects/1/events?action=pushed'
const said = async (world: World, query = ''): Promise<string[]> =>
  (await world.get(`${events}${query}`)).map(
    ({ author, action_name, push_data: { ref, ref_count, ref_type, commit_from, commit_to } }: Json) =>
      `${author.username} ${action_name} ${ref_type} ${ref ?? ref_count}: ${commit_from?.slice(0, 4)}..${commit_to?.slice(0, 4)}`,
  )

test('name the user, the branch and both commits of pushes by git, of commits by the API and of merges', async () => {
  const world = await openMergeRequest()
  const ann = await world.member('ann', 40)
  const before = (await said(world)).length
  const one = (await world.writeIn(1, 'fix', 'a.txt', { token: ann.token })).id
  const clone = await world.clone('root/app')
  await world.checkout(clone, 'fix')
  const two = await world.commit(clone, 'b.txt', 'b')
  await world.push(clone, 'fix')
  await ann.delete('/projects/1/repository/branches/fix')
  await ann.put('/projects/1/merge_requests/1/merge')
  const [merge, ...others] = await said(world, '&per_page=100')
  expect(merge).toMatch(/^ann pushed to branch master: /)
  const [a, b] = [one, two].map((sha) => sha.slice(0, 4))
  expect(others.slice(0, -before)).toEqual([
    `ann deleted branch fix: ${b}..undefined`,
    `root pushed to branch fix: ${a}..${b}`,
    `ann pushed new branch fix: undefined..${a}`,
  ])
  expect(await said(world, '&sort=asc&per_page=100')).toEqual([merge, ...others].toReversed())
})

test('name neither refs nor commits of more than three refs that one push creates', async ({ withProject: world }) => {
  const clone = await world.clone('root/app')
  await world.git(clone, 'push', '--quiet', 'origin', ...['a', 'b', 'c', 'd'].map((name) => `HEAD:refs/heads/${name}`))
  await world.git(clone, 'push', '--quiet', 'origin', 'HEAD:refs/tags/v1', 'HEAD:refs/heads/e', ':a')
  const shown = (await said(world, '&per_page=100')).map((each) => each.split(':')[0])
  expect(shown.slice(0, 3).sort()).toEqual([
    'root deleted branch a',
    'root pushed new branch e',
    'root pushed new tag v1',
  ])
  expect((await said(world))[3]).toBe('root pushed new branch 4: undefined..undefined')
})

test('are those before a day', async ({ withProject: world }) => {
  const [{ created_at }] = await world.get(events)
  const day = (away: number) => new Date(Date.parse(created_at) + away * 86_400_000).toISOString().slice(0, 10)
  expect(await said(world, `&before=${day(1)}`)).toHaveLength(1)
  expect(await said(world, `&before=${day(0)}`)).toEqual([])
})

test('are only for who may read the code, and a fork begins without any', async ({ world }) => {
  await world.project({ visibility: 'private' })
  const [guest, reporter] = [await world.member('guest', 10), await world.member('reporter', 20)]
  expect(await Promise.all([guest, reporter].map((each) => each.status('GET', events)))).toEqual([403, 200])
  const { id } = await reporter.post('/projects/1/fork', { namespace: 'reporter' })
  await world.idle()
  expect(await reporter.get(`/projects/${id}/events?action=pushed`)).toEqual([])
})
