// GET /merge_requests: over all projects, by default the caller's own.
import { type Caller, test, type World } from '../sandbox-world.ts'

/** A project of root with one merge request of root, or of the author. */
async function openIn(
  world: World,
  name: string,
  { settings = {}, mr = {}, author }: { settings?: object; mr?: object; author?: Caller & { id: number } } = {},
) {
  const { id } = await world.post('/projects', { name, visibility: 'public', ...settings })
  for (const branch of ['master', 'feature']) await world.writeIn(id, branch, `${branch}.txt`)
  const body = { source_branch: 'feature', target_branch: 'master', title: name, ...mr }
  if (author !== undefined) await world.join(author, 30, `projects/${id}`)
  return (author ?? world).post(`/projects/${id}/merge_requests`, body)
}

test('the scope selects the user, and hidden merge requests are left out', async ({ world }) => {
  const ann = await world.user('ann')
  await openIn(world, 'mine', { author: ann })
  await openIn(world, 'assigned', { mr: { assignee_id: ann.id } })
  await openIn(world, 'others')
  await openIn(world, 'hidden', { settings: { visibility: 'private' } })
  await openIn(world, 'internal', { settings: { visibility: 'internal' } })
  const wanted: [string, string[]][] = [
    ['', ['mine']],
    ['scope=created-by-me', ['mine']],
    ['scope=created_by_me', ['mine']],
    ['scope=assigned-to-me', ['assigned']],
    ['scope=assigned_to_me', ['assigned']],
    ['scope=all', ['internal', 'others', 'assigned', 'mine']],
    ['scope=all&author_id=1', ['internal', 'others', 'assigned']],
    ['author_id=1', ['mine']],
    ['scope=assigned-to-me&author_id=1', ['assigned']],
    [`scope=assigned-to-me&author_id=${ann.id}`, []],
    ['scope=all&per_page=2&page=2', ['assigned', 'mine']],
    ['scope=all&iids[]=99', ['internal', 'others', 'assigned', 'mine']],
  ]
  for (const [query, expected] of wanted)
    expect(await ann.list('title', `/merge_requests?${query}`), query).toEqual(expected)
  expect(await world.get('/merge_requests?scope=all')).toHaveLength(5)
})

test('a former member’s own merge requests in a private project are out of sight', async ({ world }) => {
  const ann = await world.user('ann')
  await openIn(world, 'secret', { settings: { visibility: 'private' }, author: ann })
  expect(await ann.get('/merge_requests')).toHaveLength(1)
  await world.delete(`/projects/1/members/${ann.id}`)
  expect(await ann.get('/merge_requests')).toEqual([])
})

test('merge requests go with their project', async ({ world }) => {
  await openIn(world, 'short-lived')
  await world.delete('/projects/1')
  expect(await world.get('/merge_requests?scope=all')).toEqual([])
})
