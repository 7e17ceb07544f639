// Whether an evaluation leads to a note on changed rules: by the changes of what it read, mostly without a further look.
import { enqueueChangedRules } from '../../../src/bot/evaluation/changed-rules.ts'
import { ruleChangeMark } from '../../../src/bot/rule-files/enqueue-open.ts'
import type { Event } from '../../../src/rules/types.ts'
import { makeClient, playService, service } from '../../client/world.ts'
import { answer, input, mergeRequest } from '../../rules/world.ts'
import { testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
playService()

const ref = { project: 1, iid: 7 }
const opened = { kind: 'merge_request.open' }
const pushed = { kind: 'merge_request.update', pushed: { from: 'a', to: 'b' } }

interface Evaluated {
  event?: Partial<Event>
  paths?: string[]
  /** The merge request as the rules read it; null: they did not. */
  read?: object | null
  mode?: 'act' | 'observe'
}

/** Whether the note is enqueued, and the calls. `paths`: what the rules read of its changes. */
async function leadsToNote({ event = opened, paths, read = {}, mode = 'act' }: Evaluated, { noted = false } = {}) {
  const queues = testQueues(stores)
  const { client, lines } = makeClient()
  if (noted) await stores.journal.marks.write(ref.project, ruleChangeMark(ref), 'written')
  const changes = paths && answer({ changes: paths.map((path) => ({ old_path: path, new_path: path })) })
  const answers = {
    ...(read === null ? {} : { mergeRequest: answer(mergeRequest({ state: 'opened', ...read })) }),
    ...(changes === undefined ? {} : { changes }),
  }
  const policy = { ...input([]).policy, mode } as never
  const pendingEvents = [
    { seq: 1, deliveryId: 'd', event: { actor: {}, iid: 7, at: '2026-11-21T12:00:00Z', ...event } as Event },
  ]
  const context = testContext({ client, journal: stores.journal, queues })
  await enqueueChangedRules(context, input([], { mergeRequest: ref, answers, policy }), pendingEvents)
  const jobs = await queues.ruleChanges.list(['waiting', 'prioritized'], 0, 10)
  return [jobs.map(({ data }) => data.iid), lines.length]
}

test.each([
  ['opened', opened],
  ['pushed to', pushed],
])('one that was %s leads to it if it changes the rule file, without a call', async (_what, event) => {
  expect(await leadsToNote({ event, paths: ['.bellhop.yml', 'a.ts'] })).toEqual([[7], 0])
  expect(await leadsToNote({ event, paths: ['a.ts'] })).toEqual([[], 0])
})

test('one that changes the rule file no more leads to it as long as it has the note', async () => {
  expect(await leadsToNote({ event: pushed, paths: ['a.ts'] }, { noted: true })).toEqual([[7], 0])
})

test('no other event does, and none where Bellhop only observes', async () => {
  const paths = ['.bellhop.yml']
  expect(await leadsToNote({ event: { kind: 'pipeline.success' }, paths })).toEqual([[], 0])
  expect(await leadsToNote({ event: { ...opened, iid: 8 }, paths })).toEqual([[], 0])
  expect(await leadsToNote({ mode: 'observe', paths })).toEqual([[], 0])
})

test('where the rules did not read the changes, they are read once', async () => {
  service()
    .get('/projects/1/merge_requests/7/changes')
    .reply(200, { changes: [{ old_path: 'a', new_path: 'a' }] })
  expect(await leadsToNote({})).toEqual([[], 1])
})

test('where they cannot be read, or the merge request was not, the job of the note finds out', async () => {
  service().get('/projects/1/merge_requests/7/changes').reply(403)
  expect([await leadsToNote({}), await leadsToNote({ read: null })]).toEqual([
    [[7], 1],
    [[7], 0],
  ])
})
