// A merge into another branch than the evaluated one is reported to operators and on the merge request.
import { reportMergedElsewhere } from '../../../src/bot/notifications/merged-elsewhere.ts'
import { playService, service } from '../../client/world.ts'
import { testQueues, useStores } from '../stores.ts'
import { notifiedIn, notifying, testContext } from '../test-context.ts'

playService()
const stores = useStores()

test.each([201, 403, 500])('where the service answers the note with %i, the merge stays reported', async (status) => {
  const notes: string[] = []
  service()
    .post('/projects/7/merge_requests/2/notes', ({ body }) => notes.push(String(body)) > 0)
    .reply(status, { id: 50 })
  const queues = testQueues(stores)
  await reportMergedElsewhere(
    testContext({ journal: stores.journal, queues, operator: notifying }),
    { project: 7, iid: 2 },
    { target: 'pro`@all`', evaluated: 'main' },
  )
  const about = { project: 7, projectPath: '', iid: 2, evaluated: 'main' }
  expect(await notifiedIn(queues)).toMatchObject([{ kind: 'merged_elsewhere', about }])
  expect(notes).toEqual([
    expect.stringMatching(/^Bellhop merged it into `pro@all`, .* evaluated for `main`: .* revert/),
  ])
})
