// Threads of a merge request: begun, resolved, and what an open one blocks.
import { expect } from 'vitest'
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
