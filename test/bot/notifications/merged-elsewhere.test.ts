// A merge into another branch than the evaluated one is reported to operators and on the merge request.
import { expect, test } from 'vitest'
import { reportMergedElsewhere } from '../../../src/bot/notifications/merged-elsewhere.ts'
import { makeClient, playService, service } from '../../client/world.ts'
import { silent } from '../stores.ts'

playService()

test.each([201, 403, 500])('where the service answers the note with %i, the merge stays reported', async (status) => {
  const notes: string[] = []
  service()
    .post('/projects/7/merge_requests/2/notes', ({ body }) => notes.push(String(body)) > 0)
    .reply(status, { id: 50 })
  const notified: unknown[] = []
  await reportMergedElsewhere(
    { client: makeClient().client, log: silent, notify: async (...given) => void notified.push(given) },
    { project: 7, iid: 2 },
    { target: 'pro`@all`', evaluated: 'main' },
  )
  const about = { project: 7, projectPath: '', iid: 2, target: 'pro`@all`', evaluated: 'main' }
  expect(notified).toEqual([[{ kind: 'merged_elsewhere', about }, '[7,2]']])
  expect(notes).toEqual([
    expect.stringMatching(/^Bellhop merged it into `pro@all`, .* evaluated for `main`: .* revert/),
  ])
})
