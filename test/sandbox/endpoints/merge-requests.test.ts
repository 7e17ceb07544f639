// Merge request endpoints: rights, missing ones, deletion, and the list over all projects.
import { type Caller, openMergeRequest, test, type World } from '../sandbox-world.ts'

const list = '/projects/1/merge_requests'
const mr = `${list}/1`

test('a missing one is 404, a forbidden change 403', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  expect(await world.body('GET', '/projects/1/merge_requests/9')).toEqual({ message: '404 Not found' })
  expect(await world.body('GET', '/projects/9/merge_requests/1')).toEqual({ message: '404 Project Not Found' })
  expect(await ann.body('PUT', mr, { title: 'Mine' })).toEqual({ message: '403 Forbidden' })
  const body = { source_branch: 'feature', target_branch: 'master', title: 'x' }
  expect(await ann.status('POST', list, body)).toBe(403)
})

describe('deleting', () => {
  test('is for owners and administrators: 204, and then it is gone from everywhere', async () => {
    const world = await openMergeRequest({ project: { visibility: 'public' } })
    const max = await world.member('max', 40)
    const olga = await world.member('olga', 50)
    expect(await max.status('DELETE', mr)).toBe(403)
    expect(await olga.answer('DELETE', mr)).toEqual([204, null])
    const calls: [string, string][] = [
      ['GET', ''],
      ['PUT', '/merge'],
      ['POST', '/approve'],
      ['POST', '/subscribe'],
      ['GET', '/versions'],
      ['POST', '/time_estimate?duration=1h'],
      ['GET', '/notes'],
    ]
    for (const [method, path] of calls) expect(await world.status(method, mr + path), method + path).toBe(404)
    expect(await world.get(list)).toEqual([])
    expect(await world.get('/merge_requests?scope=all')).toEqual([])
  })

  test('never gives the iid to another one', async ({ withMergeRequest: world }) => {
    await world.delete(mr)
    const again = await world.post(list, { source_branch: 'feature', target_branch: 'master', title: 'Again' })
    expect(again.iid).toBe(2)
    await world.write('feature', 'more.txt', 'more')
    expect((await world.get(`${list}/2`)).changes_count).toBe('2')
  })
})

test('where merge requests are switched off nobody sees or makes any', async ({ withMergeRequest: world }) => {
  await world.put('/projects/1', { name: 'app', merge_requests_enabled: false })
  const body = { source_branch: 'feature', target_branch: 'master', title: 'x' }
  expect(await world.body('POST', list, body)).toEqual({ message: '403 Forbidden' })
  expect(await world.status('GET', list)).toBe(403)
  expect(await world.status('GET', mr)).toBe(403)
  expect(await world.get('/merge_requests?scope=all')).toEqual([])
})

test('in an archived project merge requests are read, subscribed to and left as they are', async () => {
  const world = await openMergeRequest()
  await world.post(`${mr}/approve`)
  await world.post('/projects/1/archive')
  const status = async (method: string, path: string, body?: unknown) => await world.status(method, path, body)
  const body = { source_branch: 'feature', target_branch: 'master', title: 'x' }
  expect(await status('POST', list, body)).toBe(403)
  expect(await status('PUT', mr, { title: 'x' })).toBe(403)
  expect(await status('DELETE', mr)).toBe(403)
  expect(await status('POST', `${mr}/unapprove`)).toBe(403)
  expect(await status('POST', `${mr}/todo`)).toBe(201)
  expect(await status('POST', `${mr}/unsubscribe`)).toBe(201)
  expect(await world.get(mr)).toMatchObject({ title: 'Add the feature', state: 'opened' })
})

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

test('over all projects the scope selects the user, and hidden merge requests are left out', async ({ world }) => {
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
