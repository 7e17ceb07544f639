// Threads of a merge request: begun, resolved, and what an open one blocks.
import { mr, openMergeRequest, test, type World } from '../sandbox-world.ts'

const switched = { project: { only_allow_merge_if_all_discussions_are_resolved: true } }
const begin = async (world: World): Promise<string> => (await world.post(`${mr}/discussions`, { body: 'Why?' })).id
const resolve = (world: World, id: string, resolved = true, token?: string) =>
  world.call('PUT', `${mr}/discussions/${id}`, { resolved }, token)

test('a thread is one note that can be resolved; a plain note cannot', async ({ withMergeRequest: world }) => {
  await world.post(`${mr}/notes`, { body: 'plain' })
  const id = await begin(world)
  expect(await world.get(`${mr}/discussions`)).toMatchObject([
    { individual_note: true, notes: [{ body: 'plain', type: null, resolvable: false }] },
    {
      id,
      individual_note: false,
      notes: [{ body: 'Why?', type: 'DiscussionNote', resolvable: true, resolved: false }],
    },
  ])
  expect((await resolve(world, id)).body.notes[0].resolved).toBe(true)
  expect(await world.get(`${mr}/discussions/${id}`)).toMatchObject({ notes: [{ resolved: true }] })
  const [plain] = await world.list('id', `${mr}/discussions`)
  expect((await resolve(world, plain)).status).toBe(400)
  expect((await resolve(world, 'none')).status).toBe(404)
})

test.each([
  ['a developer', 30, 200],
  ['a reporter', 20, 403],
] as const)('%s resolves with %i: %i', async (name, level, status) => {
  const world = await openMergeRequest()
  const { token } = await world.member(name.replace(/\W/g, '-'), level)
  expect((await resolve(world, await begin(world), true, token)).status).toBe(status)
})

test.each([
  [true, 'discussions_not_resolved', 405],
  [false, 'mergeable', 200],
])('an open thread, where all must be resolved: %s', async (on, detailed_merge_status, status) => {
  const world = await openMergeRequest(on ? switched : {})
  const id = await begin(world)
  expect(await world.get(mr)).toMatchObject({ blocking_discussions_resolved: false, detailed_merge_status })
  expect(await world.status('PUT', `${mr}/merge`)).toBe(status)
  if (!on) return
  await resolve(world, id)
  expect(await world.get(mr)).toMatchObject({ blocking_discussions_resolved: true, detailed_merge_status: 'mergeable' })
  await resolve(world, id, false)
  expect(await world.status('PUT', `${mr}/merge`)).toBe(405)
  await resolve(world, id)
  expect(await world.status('PUT', `${mr}/merge`)).toBe(200)
})

test('hooks tell of the thread, and of the last one that is resolved', async ({ withMergeRequest: world }) => {
  const hooks = await world.receiver({ note_events: true, merge_requests_events: true })
  const [first, second] = [await begin(world), await begin(world)]
  await resolve(world, first)
  await resolve(world, second)
  expect(await hooks.events()).toEqual(['note create', 'note create', 'merge_request update'])
  const [note, , update] = hooks.received.map(({ payload }) => payload)
  expect(note.object_attributes).toMatchObject({ type: 'DiscussionNote', discussion_id: first })
  expect(update).toMatchObject({ changes: {}, object_attributes: { blocking_discussions_resolved: true } })
})

test('a thread gets replies, which are changed and deleted, and resolves as a whole', async ({
  withMergeRequest: world,
}) => {
  const id = await begin(world)
  const path = `${mr}/discussions/${id}/notes`
  const reply = await world.post(path, { body: 'Because' })
  expect(reply).toMatchObject({ type: 'DiscussionNote', resolvable: true, resolved: false })
  expect(await world.put(`${path}/${reply.id}`, { body: 'Therefore' })).toMatchObject({ body: 'Therefore' })
  expect(await world.get(`${path}/${reply.id}`)).toMatchObject({ id: reply.id, body: 'Therefore' })
  expect(await world.list('id', `${mr}/discussions`)).toEqual([id])
  expect((await world.get(`${mr}/discussions/${id}`)).notes).toHaveLength(2)
  expect(await world.put(`${path}/${reply.id}`, { resolved: true })).toMatchObject({ resolved: true })
  expect(await world.get(mr)).toMatchObject({ blocking_discussions_resolved: true })
  // Without its first note, a thread is still the same one.
  const [first] = (await world.get(`${mr}/discussions/${id}`)).notes
  await world.delete(`${path}/${first.id}`)
  expect(await world.get(`${mr}/discussions/${id}`)).toMatchObject({ id, notes: [{ id: reply.id }] })
  await world.delete(`${path}/${reply.id}`)
  expect(await world.status('GET', `${mr}/discussions/${id}`)).toBe(404)
})

test('a reply to a plain note makes it a thread; a note of another thread is not found', async ({
  withMergeRequest: world,
}) => {
  await world.post(`${mr}/notes`, { body: 'plain' })
  const [plain] = await world.get(`${mr}/discussions`)
  await world.post(`${mr}/discussions/${plain.id}/notes`, { body: 'reply' })
  expect(await world.get(`${mr}/discussions/${plain.id}`)).toMatchObject({
    individual_note: false,
    notes: [
      { body: 'plain', resolved: false },
      { body: 'reply', resolved: false },
    ],
  })
  const other = await begin(world)
  expect(await world.status('PUT', `${mr}/discussions/${other}/notes/${plain.notes[0].id}`, { body: 'x' })).toBe(404)
  const ann = await world.member('ann', 30)
  expect(await ann.status('PUT', `${mr}/discussions/${plain.id}/notes/${plain.notes[0].id}`, { body: 'x' })).toBe(403)
})

// As Danger writes it.
test('the position of a thread is kept', async ({ withMergeRequest: world }) => {
  const { base_sha, head_sha, start_sha } = (await world.get(mr)).diff_refs
  const position = { base_sha, head_sha, start_sha, position_type: 'text', new_path: 'feature.txt', new_line: 1 }
  const hooks = await world.receiver({ note_events: true })
  const thread = await world.post(`${mr}/discussions`, { body: 'Why?', position })
  expect(thread.notes).toMatchObject([{ type: 'DiffNote', position }])
  expect(await world.get(`${mr}/discussions`)).toEqual([thread])
  expect((await hooks.payloads())[0].object_attributes).toMatchObject({ type: 'DiffNote', position })
  expect(await world.status('POST', `${mr}/discussions`, { body: 'Why?', position: { new_line: 'x' } })).toBe(400)
})
