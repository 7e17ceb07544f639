// The pipelines of builds that are tested by draft merge requests: which of them are of the build.
import { pipelinesOf } from '../../../src/bot/merge-queue/draft-requests.ts'
import { playService, service } from '../../client/world.ts'
import { bot } from '../../rules/world.ts'
import { makeRun, mr } from './run-world.ts'

playService()

const branch = 'bellhop/queue/main/1'
const commit = 'c'.repeat(40)
const merged = 'd'.repeat(40)

/** The pipelines that count where the draft !9 has these. */
async function counted(...pipelines: { id: number; ref: string; sha: string; status: string }[]) {
  const draft = { iid: 9, author: bot, source_branch: branch, source_project_id: 7 }
  service().get('/projects/7/merge_requests').query(true).reply(200, [draft])
  service()
    .get(`${mr(9)}/pipelines`)
    .query(true)
    .reply(200, pipelines)
  const { run } = makeRun({}, { settings: { pipelines: 'merge_request' } as never })
  return (await pipelinesOf(run, [{ branch, commit }])).map(({ status }) => status)
}
/** A merge of somebody's commit into the target. */
const mergeOf = (source: string) =>
  service()
    .get(`/projects/7/repository/commits/${merged}`)
    .reply(200, { id: merged, parent_ids: ['0', source] })
const pipeline = (id: number, ref: 'head' | 'merge', sha: string, status: string) => ({
  ...{ id, sha, status },
  ref: `refs/merge-requests/9/${ref}`,
})

test('that of the commit counts, and none of another commit that was on the branch', async () => {
  const all = [pipeline(3, 'head', 'e'.repeat(40), 'success'), pipeline(2, 'head', commit, 'failed')]
  expect(await counted(...all)).toEqual(['failed'])
})

test('that of a merge of the commit into the target counts', async () => {
  mergeOf(commit)
  expect(await counted(pipeline(2, 'merge', merged, 'success'))).toEqual(['success'])
})

test('that of a merge of another commit, which somebody pushed to the branch meanwhile, does not count', async () => {
  mergeOf('e'.repeat(40))
  expect(await counted(pipeline(2, 'merge', merged, 'success'))).toEqual(['none'])
})

test('the first counts, and later ones are not looked at', async () => {
  expect(await counted(pipeline(3, 'merge', merged, 'success'), pipeline(2, 'head', commit, 'running'))).toEqual([
    'running',
  ])
})
