// Hooks of notes: an internal one goes only to hooks that ask for confidential notes.
import { expect, test } from 'vitest'
import { openMergeRequest } from '../sandbox-world.ts'

const notes = '/projects/1/merge_requests/1/notes'

test.each([
  [false, 'Note Hook', 'note'],
  [true, 'Confidential Note Hook', 'confidential_note'],
])('internal %s: %s, also when it is changed', async (internal, name, type) => {
  const world = await openMergeRequest()
  const open = await world.receiver({ note_events: true })
  const secret = await world.receiver({ confidential_note_events: true })
  const { id } = await world.post(notes, { body: 'Between us', internal })
  await world.put(`${notes}/${id}`, { body: 'Between us two' })
  await world.idle()
  const [told, untold] = internal ? [secret, open] : [open, secret]
  expect(untold.received).toEqual([])
  const got = told.received.map(({ headers, payload }) => [
    headers['x-gitlab-event'],
    payload.event_type,
    payload.object_attributes.action,
  ])
  expect(got).toEqual([
    [name, type, 'create'],
    [name, type, 'update'],
  ])
})
