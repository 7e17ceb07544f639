// Issues in the admin API: refs and parameters have their own numbers, and never the negative ones of the journal.
import { adminRoutes } from '../../../src/admin/api/routes/index.ts'
import { saveSweep } from '../../../src/journal/journal.ts'
import type { MergeRequestRef } from '../../../src/rules/event-types.ts'
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import type { Overrides } from '../../../src/rules/testing/overrides.ts'
import { useStores } from '../../bot/stores.ts'
import { saveNamed } from '../../cli/hotel-app.ts'
import { decision, delivery, ruleFile } from '../../suites/journal/records.ts'
import { jsonPost, nothing, queuesOf, queueWith, useAdmin } from '../serve-admin.ts'

const stores = useStores({ own: true })
const at = '2026-11-21T10:00:00.000Z'
const home = 'https://git.example.com/hotel/app'
const ref = issueRef(7, 12)
const twin = { project: 7, iid: 12 }
const explained: { of: MergeRequestRef; overrides: Overrides | undefined }[] = []
const failedJob = (of: MergeRequestRef) => ({
  ...{ id: `job-${of.iid}`, data: of, state: 'failed' as const, attempts: 3, addedAt: 0, failure: 'it failed' },
})
const queue = queueWith({ list: async () => [failedJob(ref), failedJob(twin)] })
async function dryRun(of: MergeRequestRef, overrides?: Overrides) {
  explained.push({ of, overrides })
  return { ok: true as const, decision: nothing }
}
const admin = useAdmin(() => ({
  ...{ journal: stores.journal, queues: queuesOf(() => queue), dryRun },
  replay: { delivery: async () => ({ is: 'replayed', number: 1 }), decision: async () => ({ is: 'unknown' }) },
  ruleTrials: {
    text: async () => undefined,
    backtest: async () => ({ ok: false, reason: 'not here' }),
    explain: (of, _text, overrides) => dryRun(of, overrides),
  },
}))

const named = { path: 'hotel/app', title: 'The door is shut', url: `${home}/-/issues/12` }
const issue = { project: 7, iid: 12, subject: 'issue', ...named }
const mergeRequest = { project: 7, iid: 12, path: 'hotel/app' }

beforeAll(async () => {
  const { journal } = stores
  await journal.ruleFiles.save(7, [{ ...ruleFile(twin), projectPath: 'hotel/app', projectUrl: home }])
  await saveNamed(journal, { id: 'd-issue', kind: 'issue.open', of: ref, at, title: named.title, url: named.url })
  // Old payloads name the project only by its path.
  const event = { kind: 'issue.open', actor: {}, at, iid: ref.iid }
  await journal.deliveries.save(delivery({ id: 'd-without', state: 'no_merge_request', event }))
  await journal.decisions.save({ ...decision(ref, at, 'of-issue'), deliveries: ['d-issue'] })
  await journal.decisions.save(decision(twin, at, 'of-merge-request'))
  await journal.events.add(ref, { deliveryId: 'd-issue', event: { ...event, project: 7 } })
  await journal.mergeRequests.save(ref, { memory: { rules: {}, pushes: [], of: { approve: 'abc' } } })
})

const inIssue = [
  'project=7&iid=12&subject=issue',
  'project=hotel%2Fapp&iid=12&subject=issue',
  'project=hotel%2Fapp%2312',
  'project=Hotel%2FApp%2312&iid=12&subject=issue',
]

test.each(inIssue)('%s finds the decisions, deliveries and failed jobs of the issue alone', async (query) => {
  // An array matches one of the same length only.
  expect((await admin.ask(`/decisions?${query}`)).body).toMatchObject({
    items: [{ id: 'of-issue', mergeRequest: issue }],
  })
  expect((await admin.ask(`/deliveries?${query}`)).body).toMatchObject({
    items: [{ id: 'd-issue', mergeRequests: [issue] }],
  })
  expect((await admin.ask(`/failed-jobs?${query}`)).body).toMatchObject({
    items: [{ mergeRequest: issue }, { mergeRequest: issue }],
  })
})

test('the merge request of the same number is another', async () => {
  const { body } = await admin.ask('/decisions?project=hotel/app!12')
  expect((body as { items: { mergeRequest: object }[] }).items.map((each) => each.mergeRequest)).toEqual([mergeRequest])
  expect((await admin.ask('/merge-requests/7/12')).body).toEqual(mergeRequest)
})

test('an issue is shown, with its memory and its explanation', async () => {
  expect(await admin.ask('/issues/7/12')).toEqual({ status: 200, body: issue })
  expect((await admin.ask('/issues/hotel%2Fapp/12/memory')).body).toEqual({
    ...{ memory: { rules: {}, pushes: [], of: { approve: 'abc' } }, mergeRequestPipelines: false },
    events: [{ id: 'd-issue', event: { kind: 'issue.open', actor: {}, at, project: 7, iid: 12, subject: 'issue' } }],
  })
  const { status, body } = await admin.ask('/issues/7/12/explain', jsonPost({ overrides: ['labels+=ready'] }))
  expect([status, body]).toEqual([200, { mergeRequest: issue, overrides: ['labels+=ready'], decision: nothing }])
  expect(explained.at(-1)).toMatchObject({ of: ref, overrides: { facts: [{ fact: 'labels' }] } })
})

test('the past of an issue has the facts of the last decision that found it open', async () => {
  const facts = { state: 'opened', labels: ['ready'] }
  await stores.journal.decisions.save({ ...decision(issueRef(7, 13), at), facts })
  await stores.journal.decisions.save({ ...decision({ ...twin, iid: 13 }, at), facts: { ...facts, labels: [] } })
  const { body } = await admin.ask('/issues/7/13/past')
  expect(body).toEqual({ lastOpen: { at, head: null, facts } })
})

test('an edited rule file is tried on an issue', async () => {
  const text = 'version: 1\nrules:\n  - { name: n, for: issues, if: { state: opened }, then: { label: { add: a } } }\n'
  const given = { text, do: 'explain', project: 'hotel/app#12' }
  const { body } = await admin.ask('/rules/try', jsonPost(given))
  expect(body).toMatchObject({ problems: [], of: issue, decision: nothing })
  expect(explained.at(-1)?.of).toEqual(ref)
})

test('the dry run of a delivery has the issue, and its earlier decision', async () => {
  const { body } = await admin.ask('/deliveries/d-issue/replay', jsonPost({ dry_run: true }))
  expect(body).toMatchObject({ mergeRequests: [{ mergeRequest: issue, before: [{ id: 'of-issue' }] }] })
  expect(explained.at(-1)?.of).toEqual(ref)
})

test('a selection of deliveries is of one issue', async () => {
  const { body } = await admin.ask('/replays', jsonPost({ project: 'hotel/app#12' }))
  expect(body).toMatchObject({ count: 1, deliveries: [{ id: 'd-issue' }] })
})

test('the audit log names the issue, and lists no explanation', async () => {
  await admin.ask('/issues/7/12/explain', jsonPost({}))
  await admin.ask('/replays', jsonPost({ project: 'hotel/app#12' }))
  const { body } = await admin.ask('/audit')
  const { items } = body as { items: { operation: string; to: object }[] }
  const of = (operation: string) => items.find((each) => each.operation === operation)?.to
  expect(of('explain_issue')).toBeUndefined()
  expect(of('replay_selection')).toMatchObject({ project: 7, iid: '12', subject: 'issue', ...named })
})

test('a sweep names the issues that it enqueued, and an unknown one is not found', async () => {
  const enqueued = [{ iid: ref.iid, why: 'changed' as const }]
  await saveSweep(stores.journal, {
    ...{ id: 'sweep-1', of: 'hotel/app', dryRun: false, state: 'done', askedAt: at, calls: 3 },
    projects: [{ project: 7, looked: 1, enqueued, left: false }],
  })
  expect((await admin.ask('/sweeps/sweep-1')).body).toMatchObject({ projects: [{ enqueued: [issue] }] })
  expect((await admin.ask('/sweeps/sweep-2')).status).toBe(404)
})

test('no response has the number of the journal', async () => {
  const paths = [
    ...['/deliveries', '/deliveries/d-issue', '/deliveries/d-without', '/decisions', '/decisions/of-issue'],
    ...['/issues/7/12', '/issues/7/12/memory', '/failed-jobs?project=7', '/queue/mergeRequests/jobs', '/audit'],
  ]
  for (const path of paths) {
    const { status, body } = await admin.ask(path)
    expect([status, JSON.stringify(body)], path).toEqual([200, expect.not.stringMatching(/-12,|"iid":"?-/)])
  }
  expect((await admin.ask('/deliveries/d-without')).body).toMatchObject({
    delivery: { event: { iid: 12, subject: 'issue' } },
  })
})

test.each([
  ['/decisions?project=hotel/app&iid=-12', /^iid: .*at least 1/],
  ['/decisions?project=hotel/app&subject=issue', /^An issue needs an iid/],
  ['/deliveries?project=hotel/app&subject=issue', /^An issue needs an iid/],
  ['/decisions?iid=12&subject=issue', /needs both project and iid/],
  ['/deliveries?project=hotel/app&iid=12&subject=project', /^subject: /],
  ['/decisions?project=hotel%2Fapp!12&subject=issue', /^The merge request hotel\/app!12 is no issue/],
  ['/decisions?project=hotel%2Fapp%2312&iid=13', /two issues/],
  ['/projects/hotel%2Fapp%2312', /not the issue hotel\/app#12/],
  ['/issues/7/0', /^iid: /],
  ['/issues/7/-12', /^iid: /],
  ['/issues/hotel%2Fapp!12/12', /is no issue/],
  ['/merge-requests/hotel%2Fapp%2312/12', /is no merge request/],
  ['/merge-requests/7/-12', /^iid: /],
])('%s is refused', async (path, message) => {
  expect(await admin.ask(path)).toEqual({ status: 400, body: { error: expect.stringMatching(message) } })
})

test('each route about a merge request has one about an issue', () => {
  const of = (subject: string) =>
    adminRoutes.flatMap(({ path }) => (path.startsWith(`/${subject}/`) ? [path.slice(subject.length + 1)] : []))
  expect(of('merge-requests').length).toBeGreaterThan(0)
  expect(of('issues')).toEqual(of('merge-requests'))
})
