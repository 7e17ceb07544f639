// Notes of merge requests and issues: rights and hooks.
import { mr, openMergeRequest, test } from '../sandbox-world.ts'

const notes = `${mr}/notes`

test('a note is kept with its author and counted', async ({ withMergeRequest: world }) => {
  const before = await world.get(mr)
  const note = await world.post(notes, { body: 'Looks good' })
  expect(note).toMatchObject({
    body: 'Looks good',
    author: { username: 'root' },
    system: false,
    noteable_type: 'MergeRequest',
    noteable_iid: 1,
    resolvable: false,
  })
  expect(await world.get(`${notes}/${note.id}`)).toEqual(note)
  const after = await world.get(mr)
  expect(after.user_notes_count).toBe(1)
  expect(after.updated_at > before.updated_at).toBe(true)
})

test('lists go by creation or change, in either direction, in pages', async ({ withMergeRequest: world }) => {
  for (const body of ['a', 'b', 'c']) await world.post(notes, { body })
  await world.put(`${notes}/1`, { body: 'changed' })
  const bodies = async (query: string) => await world.list('body', `${notes}?${query}`)
  expect(await bodies('')).toEqual(['c', 'b', 'changed'])
  expect(await bodies('sort=asc')).toEqual(['changed', 'b', 'c'])
  expect(await bodies('order_by=updated_at')).toEqual(['changed', 'c', 'b'])
  expect(await bodies('per_page=2&page=2')).toEqual(['changed'])
})

test('blank notes are refused', async ({ withMergeRequest: world }) => {
  await world.post(notes, { body: 'a' })
  expect(await world.body('POST', notes, {})).toEqual({ error: 'body is missing' })
  expect(await world.body('POST', notes, { body: ' \n' })).toEqual({ message: { note: ["can't be blank"] } })
  expect(await world.body('PUT', `${notes}/1`, { body: ' ' })).toEqual({ message: { note: ["can't be blank"] } })
})

test('authors change and delete their notes, maintainers those of others as well', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const [ann, bob] = await world.people('ann', 'bob')
  await world.join(bob, 30)
  const note = await ann.post(notes, { body: 'mine' })
  const one = `${notes}/${note.id}`
  expect(await bob.status('PUT', one, { body: 'yours' })).toBe(403)
  expect(await bob.status('DELETE', one)).toBe(403)
  expect((await ann.body('PUT', one, { body: 'still mine' })).body).toBe('still mine')
  expect(await world.status('DELETE', one)).toBe(204)
  expect(await world.body('GET', one)).toEqual({ message: '404 Note Not Found' })
  expect((await world.get(mr)).user_notes_count).toBe(0)
})

test('in a locked discussion only members write and change', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const [ann, bob] = await world.people('ann', 'bob')
  await world.join(bob, 10)
  await ann.post(notes, { body: 'before' })
  await world.put(mr, { discussion_locked: true })
  expect(await ann.status('POST', notes, { body: 'x' })).toBe(403)
  expect(await ann.status('PUT', `${notes}/1`, { body: 'x' })).toBe(403)
  expect(await ann.status('DELETE', `${notes}/1`)).toBe(403)
  expect(await bob.status('POST', notes, { body: 'x' })).toBe(201)
  expect(await ann.body('GET', notes)).toHaveLength(2)
})

test('the hook is sent for new and changed notes, not for deleted and unchanged ones', async ({ world }) => {
  const { sha } = await world.mergeRequest({ mr: { labels: 'a' } })
  const hooks = await world.receiver({ note_events: true })
  await world.post(notes, { body: 'one' })
  await world.put(`${notes}/1`, { body: 'two' })
  await world.put(`${notes}/1`, { body: 'two' })
  await world.delete(`${notes}/1`)
  expect(await hooks.events()).toEqual(['note create', 'note update'])
  expect(hooks.received[0]?.headers['x-gitlab-event']).toBe('Note Hook')
  expect(hooks.received[0]?.payload).toMatchObject({
    event_type: 'note',
    user: { username: 'root' },
    project_id: 1,
    project: { path_with_namespace: 'root/app' },
    object_attributes: {
      id: 1,
      note: 'one',
      noteable_type: 'MergeRequest',
      noteable_id: 1,
      author_id: 1,
      system: false,
      action: 'create',
      url: `${world.url}/root/app/-/merge_requests/1#note_1`,
    },
    merge_request: {
      iid: 1,
      source_branch: 'feature',
      last_commit: { id: sha },
      labels: [{ title: 'a' }],
      state: 'opened',
    },
  })
  expect(hooks.received[1]?.payload.object_attributes).toMatchObject({ note: 'two' })
  const discussions = hooks.received.map(({ payload }) => payload.object_attributes.discussion_id)
  expect(new Set(discussions).size).toBe(1)
})

test('an internal note is for its author and for planners and above, who alone write them', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const guest = await world.member('guest', 10)
  const planner = await world.member('planner', 15)
  const note = await world.post(notes, { body: 'Between us', internal: true })
  expect(note).toMatchObject({ internal: true, confidential: true })
  expect(await world.post(notes, { body: 'For all' })).toMatchObject({ internal: false, confidential: false })
  expect(await planner.list('body', notes)).toEqual(['For all', 'Between us'])
  expect(await guest.list('body', notes)).toEqual(['For all'])
  expect(await guest.status('GET', `${notes}/${note.id}`)).toBe(404)
  const threads = await guest.get(`${mr}/discussions`)
  expect(threads.map((each: { notes: { body: string }[] }) => each.notes[0]?.body)).toEqual(['For all'])
  expect(await guest.status('POST', notes, { body: 'Mine', internal: true })).toBe(403)
  expect(await planner.status('POST', notes, { body: 'Mine', confidential: true })).toBe(201)
})
