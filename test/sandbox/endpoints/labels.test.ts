// Labels: made once, listed by name, gone from everything when they are deleted; their history on a merge request.
import { mr, openMergeRequest, openProject, test } from '../sandbox-world.ts'

const labels = '/projects/1/labels'

test('a colour is a name or hexadecimal, a name has no comma', async ({ withProject: world }) => {
  for (const color of ['red', '#abc', '#FF0000'])
    expect(await world.post(labels, { name: color, color })).toMatchObject({ name: color, color, description: null })
  expect(await world.body('POST', labels, { name: 'c', color: '#abcd' })).toEqual({
    message: { color: ['must be a valid color code'] },
  })
  expect(await world.body('POST', labels, { name: 'a,b', color: 'red' })).toEqual({
    message: { title: ['is invalid'] },
  })
})

test('lists go by name, and search in name and description', async () => {
  const world = await openProject({ visibility: 'public' })
  await world.post(labels, { name: 'wish', color: 'red', description: 'A bug it is not' })
  await world.post(labels, { name: 'bug', color: 'red' })
  await world.post(labels, { name: 'docs', color: 'red' })
  const names = async (query: string) =>
    (await world.nobody.body('GET', `${labels}?${query}`)).map(({ name }: { name: string }) => name)
  expect(await names('')).toEqual(['bug', 'docs', 'wish'])
  expect(await names('search=BUG')).toEqual(['bug', 'wish'])
  expect(await names('per_page=1&page=2')).toEqual(['docs'])
})

test('a label that is deleted is gone from merge requests and issues', async () => {
  const world = await openMergeRequest({ mr: { labels: 'bug,other' } })
  await world.post('/projects/1/issues', { title: 'A', labels: 'bug,third' })
  expect(await world.status('DELETE', `${labels}/bug`)).toBe(204)
  expect((await world.get('/projects/1/merge_requests/1')).labels).toEqual(['other'])
  expect((await world.get('/projects/1/issues/1')).labels).toEqual(['third'])
  expect(await world.body('DELETE', `${labels}/bug`)).toEqual({ message: '404 Label Not Found' })
})

test('a label is deleted by id or by name, and an id comes first', async ({ withProject: world }) => {
  for (const name of ['a', '1', 'two/three', '99']) await world.post(labels, { name, color: 'red' })
  const left = async () => await world.list('name', labels)
  await world.delete(`${labels}/1`)
  expect(await left()).toEqual(['1', '99', 'two/three'])
  await world.delete(`${labels}/two%2Fthree`)
  await world.delete(`${labels}/99`)
  expect(await left()).toEqual(['1'])
})

test('a label is read and changed by id or by name; what has it follows', async () => {
  const world = await openMergeRequest({ mr: { labels: 'bug,other' } })
  const bug = await world.get(`${labels}/bug`)
  expect(await world.get(`${labels}/${bug.id}`)).toEqual(bug)
  const changed = { new_name: 'a/bug', color: 'red', description: 'D' }
  expect(await world.put(`${labels}/bug`, changed)).toEqual({ ...bug, name: 'a/bug', color: 'red', description: 'D' })
  expect((await world.get('/projects/1/merge_requests/1')).labels).toEqual(['a/bug', 'other'])
  expect(await world.answer('PUT', `${labels}/a%2Fbug`, { new_name: 'other' })).toEqual([
    400,
    { message: { title: ['has already been taken'] } },
  ])
  expect(await world.status('GET', `${labels}/bug`)).toBe(404)
  const ann = await world.member('ann', 10)
  expect(await ann.status('PUT', `${labels}/other`, { color: 'red' })).toBe(403)
})

const events = `${mr}/resource_label_events`
const said = (listed: { action: string; label: { name: string } | null; user: { username: string } }[]) =>
  listed.map(({ action, label, user }) => `${user.username} ${action} ${label?.name ?? 'a deleted label'}`)

test('the history of a merge request names who added and removed a label, oldest first', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const ann = await world.member('ann', 30)
  await world.put(mr, { add_labels: 'bug,docs' })
  await ann.put(mr, { remove_labels: 'bug' })
  await ann.put(mr, { add_labels: 'bug' })
  expect(said(await world.get(events))).toEqual(['root add bug', 'root add docs', 'ann remove bug', 'ann add bug'])
  expect((await world.get(events))[0]).toMatchObject({ resource_type: 'MergeRequest', resource_id: 1 })
})

test('an update that changes no label adds nothing to it, and a deleted label is null', async () => {
  const world = await openMergeRequest()
  await world.put(mr, { add_labels: 'bug' })
  await world.put(mr, { add_labels: 'bug', title: 'Other' })
  await world.delete('/projects/1/labels/bug')
  expect(said(await world.get(events))).toEqual(['root add a deleted label'])
})
