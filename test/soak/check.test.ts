// A soak sees each promise that was broken, in a record told by hand, and finds nothing where none was.
import { expect, test } from 'vitest'
import { check } from '../../soak/check.ts'
import { failedNote, pong } from '../../soak/rules.ts'
import { bob, bot, type Story, story } from './story.ts'

const found = ({ record }: Story) => {
  const { atRest, atAnyTime } = check(record)
  return { atRest: atRest.map(({ detail }) => detail), atAnyTime: atAnyTime.map(({ detail }) => detail) }
}
const documents = { labels: ['documentation'], time_estimate: 900, subscriber_ids: [bot] }
const asking = { labels: ['automerge'] }
const evaluated = (told: Story) => told.call('mergeRequests.get', { include_rebase_in_progress: true })
const accepted = (told: Story, params: Record<string, unknown> = {}) =>
  told.call('mergeRequests.accept', { sha: 'aaaaaaaaaa', ...params })
const merged = (told: Story) => told.becomes({ state: 'merged', merged_by_id: bot })
const mergedWhenRead = (told: Story) => merged(accepted(evaluated(told)))
const green = (first: Parameters<typeof story>[0] = asking) => story(first).pipeline('success')
const asked = () =>
  story().command('alice', 'log', 'acknowledged').command('bob', 'log', 'never arrived', 'acknowledged')
const pinged = () => story().command('bob', 'ping', 'acknowledged')
const pushed = (told: Story) => told.people({ do: 'push', by: 'alice', documents: false })
const waits = (user_id: number) => {
  const auto_merge = { user_id, squash: false, merge_commit_message: null, should_remove_source_branch: null }
  return story().becomes({ auto_merge })
}
const off = () => story().people({ do: 'label', add: 'bellhop::off' })

test.each<[what: string, told: Story]>([
  ['documentation', story(documents, true)],
  [
    'a label that a person took off',
    story(documents, true).people({ do: 'label', remove: 'documentation' }).becomes({ labels: [] }),
  ],
  ['minutes that add up', asked().becomes({ total_time_spent: 120 })],
  ['a ping with its answer', pinged().note(bot, pong)],
  [
    'a failed pipeline',
    story({ labels: ['red'] })
      .note(bot, failedNote)
      .pipeline('failed'),
  ],
  ['a green head that asks for a merge', mergedWhenRead(green())],
  ['a maintainer’s request', mergedWhenRead(story().command('bob', 'merge', 'acknowledged').pipeline('success'))],
  ['a call before Bellhop knew that it is off', off().call('mergeRequests.subscribe')],
])('nothing is found in %s', (_what, told) => {
  expect(found(told)).toEqual({ atRest: [], atAnyTime: [] })
})

test.each<[detail: string, told: Story]>([
  ['2 comments asked to log a minute, 1 were logged, 0 called uncertain', asked().becomes({ total_time_spent: 60 })],
  ['1 pings, and no answer', pinged()],
  ['the label documentation is missing', story({}, true)],
  ['the estimate is missing', story({}, true)],
  ['Bellhop is not subscribed', story({}, true)],
  ['the label documentation is on without a reason', story({ labels: ['documentation'] })],
  ['the pipeline failed, and the label red is missing', story().pipeline('failed')],
  [
    'the label red was not taken back',
    story()
      .becomes({ labels: ['red'] })
      .pipeline('failed')
      .pipeline('running'),
  ],
  [`the note “${failedNote}” should be there once`, story().pipeline('failed')],
  ['it is ready, and not approved by Bellhop', story({ labels: ['ready'] })],
  ['the approval was not taken back', story({ labels: ['ready', 'hold'], approved_by: [bot] })],
  ['it asks to be merged and is not', green()],
  [
    'its merge was requested for this head and did not come',
    story().command('bob', 'merge', 'acknowledged').pipeline('success'),
  ],
])('at rest: %s', (detail, told) => {
  expect(found(told).atRest).toContain(detail)
})

test.each<[detail: string, told: Story]>([
  ['2 comments asked to log a minute, 3 were logged', asked().becomes({ total_time_spent: 180 })],
  ['1 pings, and 2 notes that answer', pinged().note(bot, pong).note(bot, pong)],
  ['the pipeline of aaaaaaaa was none', mergedWhenRead(story(asking))],
  ['the pipeline of aaaaaaaa was none', mergedWhenRead(story(asking).pipeline('success', 'older'))],
  ['the pipeline of aaaaaaaa was running', mergedWhenRead(green().pipeline('running'))],
  ['aaaaaaaa was merged, Bellhop had evaluated bbbbbbbb', merged(accepted(evaluated(green()), { sha: 'bbbbbbbbbb' }))],
  ['it was merged unread', merged(accepted(green()))],
  ['it was merged as Bellhop, and Bellhop did not ask for it', merged(green())],
  ['no rule asked for it when it was read', mergedWhenRead(green({}))],
  ['no rule asked for it when it was read', mergedWhenRead(green().becomes({ labels: ['automerge', 'hold'] }))],
  ['no rule asked for it when it was read', mergedWhenRead(green().becomes({ title: 'Draft: Work 0' }))],
  [
    'no rule asked for it when it was read',
    mergedWhenRead(pushed(green({ labels: ['dependencies'] })).pipeline('success')),
  ],
  [
    'no rule asked for it when it was read',
    mergedWhenRead(story().command('alice', 'merge', 'acknowledged').pipeline('success')),
  ],
  [
    'the label red was taken off, which Bellhop had not put on',
    story({ labels: ['red'] }).call('mergeRequests.update', { remove_labels: 'red' }),
  ],
  [
    'an approval was taken back that was never given',
    story()
      .becomes({ approved_by: [bob] })
      .call('mergeRequests.unapprove'),
  ],
  [
    `the merge that user ${bob} had asked for was cancelled`,
    waits(bob).call('mergeRequests.cancelMergeWhenPipelineSucceeds'),
  ],
  [
    `note 1 was removed, which user ${bob} wrote`,
    story().note(bob, 'x').call('mergeRequests.notes.delete', { note_id: 1 }),
  ],
  ['mergeRequests.accept with squash', accepted(story(), { squash: true })],
  ['projects.delete with its parameters', story().call('projects.delete')],
  [
    'mergeRequests.subscribe was called although bellhop::off had been read',
    evaluated(off()).call('mergeRequests.subscribe'),
  ],
])('at any time: %s', (detail, told) => {
  expect(found(told).atAnyTime).toContain(detail)
})

test('a label that is put on once stays off when it was taken off', () => {
  const told = story({}, true)
    .becomes({ labels: ['documentation'] })
    .becomes({ labels: [] })
  expect(found(told).atAnyTime).toEqual([])
  expect(found(told.becomes({ labels: ['documentation'] })).atAnyTime).toHaveLength(1)
})
