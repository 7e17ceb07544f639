// Hooks of issues and notes: what is confidential or internal goes only to hooks that ask for it.
import { openMergeRequest, openWorld, test } from '../sandbox-world.ts'

test.each([
  [false, 'Issue Hook', 'issue', 'Note Hook', 'note'],
  [true, 'Confidential Issue Hook', 'confidential_issue', 'Confidential Note Hook', 'confidential_note'],
])('confidential %s: %s and %s', async (confidential, issueHook, issueType, noteHook, noteType) => {
  const world = await openWorld()
  await world.post('/projects', { name: 'app' })
  const open = await world.receiver({ issues_events: true, note_events: true })
  const secret = await world.receiver({ confidential_issues_events: true, confidential_note_events: true })
  await world.post('/projects/1/issues', { title: 'A door', confidential })
  await world.post('/projects/1/issues/1/notes', { body: 'It is open.' })
  await world.idle()
  const [told, untold] = confidential ? [secret, open] : [open, secret]
  expect(untold.received).toEqual([])
  expect(told.received.map(({ headers, payload }) => [headers['x-gitlab-event'], payload.event_type])).toEqual([
    [issueHook, issueType],
    [noteHook, noteType],
  ])
  expect(told.received[0]?.payload.object_attributes.confidential).toBe(confidential)
})

test('a task is sent as a work item', async ({ world }) => {
  await world.project()
  const hooks = await world.receiver({ issues_events: true })
  await world.post('/projects/1/issues', { title: 'Do it', issue_type: 'task' })
  expect((await hooks.payloads()).map((payload) => [payload.object_kind, payload.event_type])).toEqual([
    ['work_item', 'work_item'],
  ])
})

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
