// What counts of pipelines that commit statuses make.
import { asCounted, type QueuePipeline } from '../../../src/bot/merge-queue/pipelines.ts'
import { emptyRecord } from '../../../src/merge-queue/plan.ts'
import { playService, service } from '../../client/world.ts'
import { bot } from '../../rules/world.ts'
import { landing, makeRun, member, now } from './run-world.ts'

playService()

const branch = 'bellhop/queue/main/9'
const commit = 'c'.repeat(40)
const outside: QueuePipeline = { id: 5, status: 'success', isOutside: true }
const minutes = 60_000

/** What ran for a commit. */
interface Ran {
  source?: string
  ref?: string
  /** `name by id` */
  statuses?: string[]
}

function play(
  sha: string,
  { source = 'external', ref = branch, statuses = [] }: Ran,
  reads = ['pipelines', 'statuses'],
) {
  if (reads.includes('pipelines'))
    service()
      .get('/projects/7/pipelines')
      .query({ sha, per_page: 100 })
      .reply(200, [{ id: 1, sha, ref, source }])
  const listed = statuses.map((each) => ({
    name: each.split(' by ')[0],
    ref,
    author: { id: Number(each.split(' by ')[1]) },
  }))
  if (reads.includes('statuses'))
    service().get(`/projects/7/repository/commits/${sha}/statuses`).query({ per_page: 100 }).reply(200, listed)
}

async function counted(
  builds: Ran[],
  own: string[],
  { found = outside, more = {}, age = 1, run = makeRun(), of = builds.map((_, at) => `${at}`.repeat(40)) } = {},
) {
  for (const [at, each] of builds.entries()) play(of[at] ?? '', each)
  play(commit, { statuses: own }, ['statuses'])
  const recent = builds.map((_, at) => ({ ...landing({ commit: of[at] ?? '' }), at: now - 1_000 }))
  const record = { ...emptyRecord(), recent, ...more }
  const build = { commit, members: [member(1)], since: now - age * minutes }
  return (await asCounted(run.run, found, build, record)).status
}

test.each<[string, Ran[], string[], string]>([
  ['as they are where all are there', [{ statuses: ['ci by 1'] }], ['ci by 1'], 'success'],
  ['as they are with more of them', [{ statuses: ['ci by 1'] }], ['ci by 1', 'lint by 2'], 'success'],
  ['for nothing while one is missing', [{ statuses: ['ci by 1', 'lint by 1'] }], ['ci by 1'], 'partial'],
  ['for nothing while another user set one', [{ statuses: ['ci by 1'] }], ['ci by 2'], 'partial'],
  [
    'for nothing while one of the three last builds is missing',
    [{ statuses: ['ci by 1'] }, { statuses: ['ci by 1'] }, { statuses: ['lint by 1'] }],
    ['ci by 1'],
    'partial',
  ],
  ['for none where a push started a pipeline of one of them', [{}, { source: 'push' }], ['ci by 1'], 'none'],
  ['for none where a merge request started it', [{ source: 'merge_request_event' }], ['ci by 1'], 'none'],
  [
    'for themselves where a push of another branch started one: nothing is known',
    [{ source: 'push', ref: 'main' }],
    ['ci by 1'],
    'partial',
  ],
])('the statuses of an outside CI count %s', async (_what, builds, own, expected) => {
  expect(await counted(builds, own)).toBe(expected)
})

test('before the first landing, the heads of the members show which there must be', async () => {
  const { head } = member(1)
  const first = (ran: Ran, own: string[], more = {}) => {
    play(head, { ref: 'topic', ...ran })
    return counted([], own, more)
  }
  expect(await first({ statuses: ['ci by 1'] }, ['ci by 1'])).toBe('success')
  expect(await first({ statuses: ['ci by 1', 'lint by 1'] }, ['ci by 1'])).toBe('partial')
  expect(await first({ source: 'push' }, ['ci by 1'])).toBe('none')
})

test.each([
  [9, 'partial'],
  [10, 'success'],
])('where nothing ran before, after %i minutes it is %s', async (age, expected) => {
  play(member(1).head, {})
  expect(await counted([], ['ci by 1'], { age })).toBe(expected)
})

test('after an operator resumed the queue neither what landed nor a head says which: any counts after ten minutes', async () => {
  const record = { resumed: now, recent: [{ ...landing(), at: now - 1 }] }
  const resumed = (age: number) => {
    play(member(1).head, { ref: 'topic', statuses: ['ci by 1'] })
    return counted([], ['other by 1'], { more: record, age })
  }
  expect(await resumed(9)).toBe('partial')
  expect(await resumed(10)).toBe('success')
})

test('after an operator resumed the queue none counts where a push started the pipeline of a head', async () => {
  const record = { resumed: now, recent: [{ ...landing(), at: now - 1 }] }
  play(member(1).head, { ref: 'topic', source: 'push' })
  expect(await counted([], ['ci by 1'], { more: record, age: 10 })).toBe('none')
})

test('what Bellhop itself set on the head is no test', async () => {
  play(member(1).head, { ref: 'topic', statuses: [`bellhop/policy by ${bot.id}`, 'ci by 1'] })
  expect(await counted([], ['ci by 1'])).toBe('success')
})

test('a commit that the service deleted says nothing', async () => {
  const { head } = member(1)
  service().get('/projects/7/pipelines').query({ sha: head, per_page: 100 }).reply(200, [])
  service().get(`/projects/7/repository/commits/${head}/statuses`).query({ per_page: 100 }).reply(404)
  expect(await counted([], ['ci by 1'])).toBe('partial')
})

test.each<[string, QueuePipeline]>([
  ['one of the project’s own', { id: 5, status: 'success' }],
  ['one that runs', { ...outside, status: 'running' }],
])('%s counts as it is, and costs no call', async (_what, found) => {
  const { run, calls } = makeRun()
  const record = emptyRecord()
  expect(await asCounted(run, found, { commit, members: [] }, record)).toBe(found)
  expect(calls).toEqual([])
})

test('where builds are tested by draft merge requests, statuses alone are none', async () => {
  const { run } = makeRun({}, { settings: { pipelines: 'merge_request' } as never })
  const record = emptyRecord()
  expect((await asCounted(run, outside, { commit, members: [] }, record)).status).toBe('none')
})
