// What is stored of the body of a confidential delivery.
import { bodyWithoutTexts, readDelivery } from '../../../src/bot/intake/read-delivery.ts'

const AT = '2026-11-21T12:00:00.000Z'
const secret = 'the vault is open'
const texts = { title: secret, description: secret, note: secret, last_commit: { message: secret } }
const label = (title: string) => ({ id: 1, title, description: secret })
const payload = {
  ...{ object_kind: 'note', event_type: 'confidential_note', user: { id: 3, username: 'ann', name: secret } },
  ...{ project: { id: 7, path_with_namespace: 'hotel/app', description: secret }, repository: { description: secret } },
  object_attributes: {
    ...{ id: 31, noteable_type: 'Issue', action: 'update', updated_at: AT, source: { text: secret } },
    ...texts,
  },
  issue: { iid: 4, project_id: 7, confidential: true, url: 'https://code.example/hotel/app/-/issues/4', ...texts },
  note: texts,
  changes: {
    title: { previous: secret, current: secret },
    labels: { previous: [], current: [label('bug')], more: secret },
  },
}

test('has no text of the issue or note, and says so', () => {
  const stored = bodyWithoutTexts(JSON.stringify(payload))
  expect(stored).not.toContain('vault')
  expect(JSON.parse(stored)).toMatchObject({ not_stored: expect.stringContaining('confidential') })
})

test('is read as the delivery was: a replay needs no more', () => {
  const summary = (body: string) => {
    const read = readDelivery(body, AT)
    if (!read.ok) throw new Error(read.reason)
    const { content: _content, ...rest } = read.summary
    return rest
  }
  const before = summary(JSON.stringify(payload))
  const after = summary(bodyWithoutTexts(JSON.stringify(payload)))
  // Without the text, a command may be in it.
  expect({ ...after, event: { ...after.event, note: before.event.note } }).toEqual(before)
  expect(after.event.note?.mentions).toBe(true)
})

test('is empty where nothing can be read', () => {
  for (const body of ['', '[]', '{"title":"the vault', '{}']) expect(bodyWithoutTexts(body)).toBe('')
})
