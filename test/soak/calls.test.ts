// A call that takes back what Bellhop had not done, or that comes after it was turned off, is seen.
import { callsWhileOff, wrongCalls } from '../../soak/calls.ts'
import { bob, bot, type Story, story } from './story.ts'

const wrong = ({ record, histories }: Story) => wrongCalls(record, histories()).map(({ detail }) => detail)
const whileOff = ({ histories }: Story) => callsWhileOff(histories()).map(({ detail }) => detail)

describe('what is taken back', () => {
  const takeOff = (told: Story) => told.call('mergeRequests.update', { remove_labels: 'red' })
  test('a label: only one that Bellhop put on', () => {
    expect(wrong(takeOff(story().becomes({ labels: ['red'] })))).toEqual([])
    expect(wrong(takeOff(story({ labels: ['red'] })))).toEqual([
      'the label red was taken off, which Bellhop had not put on',
    ])
    const other = story()
      .becomes({ labels: ['hold'] })
      .call('mergeRequests.update', { remove_labels: 'hold' })
    expect(wrong(other)).toEqual(['the label hold was taken off, which Bellhop had not put on'])
  })
  test('an approval: only its own', () => {
    expect(
      wrong(
        story()
          .becomes({ approved_by: [bot] })
          .call('mergeRequests.unapprove'),
      ),
    ).toEqual([])
    expect(
      wrong(
        story()
          .becomes({ approved_by: [bob] })
          .call('mergeRequests.unapprove'),
      ),
    ).toEqual(['an approval was taken back that was never given'])
  })
  test('a merge that waits: only one that it asked for', () => {
    const waits = (user_id: number) => {
      const auto_merge = { user_id, squash: false, merge_commit_message: null, should_remove_source_branch: null }
      return story().becomes({ auto_merge }).call('mergeRequests.cancelMergeWhenPipelineSucceeds')
    }
    expect(wrong(waits(bot))).toEqual([])
    expect(wrong(waits(bob))).toEqual([`the merge that user ${bob} had asked for was cancelled`])
  })
  test('a note: only its own', () => {
    const remove = { note_id: 1 }
    expect(wrong(story().note(bot, 'x').call('mergeRequests.notes.delete', remove))).toEqual([])
    expect(wrong(story().note(bob, 'x').call('mergeRequests.notes.delete', remove))).toEqual([
      `note 1 was removed, which user ${bob} wrote`,
    ])
  })
})

test('only what the rules can lead to is called', () => {
  expect(wrong(story().call('mergeRequests.get').call('users.currentToken').call('mergeRequests.subscribe'))).toEqual(
    [],
  )
  const bothNames = { sha: 'a', merge_when_pipeline_succeeds: true, auto_merge: true }
  expect(wrong(story().call('mergeRequests.accept', bothNames))).toEqual([])
  expect(wrong(story().call('mergeRequests.accept', { ...bothNames, squash: true }))).toEqual([
    'mergeRequests.accept with squash',
  ])
  expect(wrong(story().call('mergeRequests.update', { state_event: 'close' }))).toEqual([
    'mergeRequests.update with state_event',
  ])
  expect(wrong(story().call('projects.delete'))).toEqual(['projects.delete with its parameters'])
})

describe('what is turned off', () => {
  const off = () => story().people({ do: 'label', add: 'bellhop::off' })
  const read = (told: Story) => told.call('mergeRequests.get', { include_rebase_in_progress: true })
  test('is left alone once Bellhop can know', () => {
    const seen = read(off()).call('mergeRequests.subscribe')
    expect(whileOff(seen)).toEqual(['mergeRequests.subscribe was called although bellhop::off had been read'])
  })
  test('may still get what was decided on before', () => {
    expect(whileOff(off().call('mergeRequests.subscribe'))).toEqual([])
    // The reading of another job.
    expect(whileOff(off().call('mergeRequests.get').call('mergeRequests.subscribe'))).toEqual([])
  })
  test('may be read', () => {
    expect(whileOff(read(off()).call('mergeRequests.approvals'))).toEqual([])
  })
  test('gets answers to commands, and no other note', () => {
    const noted = (body: string) => whileOff(read(off()).call('mergeRequests.notes.create', { body }))
    expect(noted('`merge`: not done: state is closed.')).toEqual([])
    expect(noted('Please rebase.')).toHaveLength(1)
  })
  test('may be turned on again', () => {
    const on = read(off()).people({ do: 'label', remove: 'bellhop::off' }).call('mergeRequests.subscribe')
    expect(whileOff(on)).toEqual([])
  })
})
