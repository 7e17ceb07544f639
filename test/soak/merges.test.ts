// A merge by Bellhop of anything but the evaluated, green head is seen.
import { wrongMerges } from '../../soak/merges.ts'
import { bob, bot, type Story, story } from './story.ts'

const details = ({ record, histories }: Story) => wrongMerges(record, histories()).map(({ detail }) => detail)
const evaluated = (told: Story) => told.call('mergeRequests.get', { include_rebase_in_progress: true })
const accepted = (told: Story, params: Record<string, unknown> = {}) =>
  told.call('mergeRequests.accept', { sha: 'aaaaaaaaaa', ...params })
const merged = (told: Story, by = bot) => told.becomes({ state: 'merged', merged_by_id: by })
const asking = { labels: ['automerge'] }

test('a green head that asks for it may be merged', () => {
  expect(details(merged(accepted(evaluated(story(asking).pipeline('success')))))).toEqual([])
})

test('a pipeline that moved after it was read could not be known of', () => {
  expect(details(merged(accepted(evaluated(story(asking).pipeline('success')).pipeline('running'))))).toEqual([])
})

test('no pipeline, a failed one, one of another commit, and one that was green before it was read are none', () => {
  expect(details(merged(accepted(evaluated(story(asking)))))).toEqual(['the pipeline of aaaaaaaa was none'])
  expect(details(merged(accepted(evaluated(story(asking).pipeline('failed')))))).toEqual([
    'the pipeline of aaaaaaaa was failed',
  ])
  expect(details(merged(accepted(evaluated(story(asking).pipeline('success', 'older')))))).toEqual([
    'the pipeline of aaaaaaaa was none',
  ])
  expect(details(merged(accepted(evaluated(story(asking).pipeline('success').pipeline('running')))))).toEqual([
    'the pipeline of aaaaaaaa was running',
  ])
})

test('another head than the evaluated one', () => {
  const told = accepted(evaluated(story(asking).pipeline('success')), { sha: 'bbbbbbbbbb' })
  expect(details(merged(told))).toEqual(['aaaaaaaa was merged, Bellhop had evaluated bbbbbbbb'])
})

test('a merge that nobody asked for, unread, or on nobody’s call', () => {
  expect(details(merged(accepted(evaluated(story().pipeline('success')))))).toEqual([
    'no rule asked for it when it was read',
  ])
  expect(details(merged(accepted(story(asking).pipeline('success'))))).toEqual(['it was merged unread'])
  expect(details(merged(story(asking).pipeline('success')))).toEqual([
    'it was merged as Bellhop, and Bellhop did not ask for it',
  ])
})

test('what is held, a draft, turned off or goes elsewhere is not to be merged', () => {
  for (const change of [
    { labels: ['automerge', 'hold'] },
    { labels: ['automerge', 'bellhop::off'] },
    { title: 'Draft: Work 0' },
    { target_branch: 'stable' },
  ]) {
    expect(details(merged(accepted(evaluated(story(asking).pipeline('success').becomes(change)))))).toEqual([
      'no rule asked for it when it was read',
    ])
  }
})

test('an update that people pushed to is none of renovate’s', () => {
  const update = () => story({ labels: ['dependencies'] })
  expect(details(merged(accepted(evaluated(update().pipeline('success')))))).toEqual([])
  const pushed = update().people({ do: 'push', by: 'alice', documents: false }).pipeline('success')
  expect(details(merged(accepted(evaluated(pushed))))).toEqual(['no rule asked for it when it was read'])
})

test('a maintainer may ask for it in a comment, a developer may not', () => {
  const asked = (by: 'alice' | 'bob') =>
    merged(accepted(evaluated(story().command(by, 'merge', 'acknowledged').pipeline('success'))))
  expect(details(asked('bob'))).toEqual([])
  expect(details(asked('alice'))).toEqual(['no rule asked for it when it was read'])
  const pushed = story({ sha: 'older' })
    .command('bob', 'merge', 'acknowledged')
    .becomes({ sha: 'aaaaaaaaaa' })
    .pipeline('success')
  expect(details(merged(accepted(evaluated(pushed))))).toEqual(['no rule asked for it when it was read'])
})

test('where the service waits, the pipeline is green when it merges', () => {
  const waiting = () =>
    accepted(evaluated(story().command('bob', 'ship', 'acknowledged').pipeline('running')), {
      merge_when_pipeline_succeeds: true,
    })
  expect(details(merged(waiting().pipeline('success')))).toEqual([])
  expect(details(merged(waiting().pipeline('failed')))).toEqual(['the pipeline of aaaaaaaa was failed'])
})

test('people merge as they like', () => {
  expect(details(merged(story(), bob))).toEqual([])
})
