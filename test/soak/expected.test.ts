// The soak's own reading of its rules sees a merge request that was left as it should not be.
import { notAtFixpoint } from '../../soak/expected.ts'
import { failedNote } from '../../soak/rules.ts'
import { bob, bot, type Story, story } from './story.ts'

const details = ({ record, histories }: Story) => notAtFixpoint(record, histories()).map(({ detail }) => detail)
const documents = { labels: ['documentation'], time_estimate: 900, subscriber_ids: [bot] }

describe('documentation', () => {
  test('label, estimate and subscription are there', () => {
    expect(details(story(documents, true))).toEqual([])
    expect(details(story({}, true))).toEqual([
      'the label documentation is missing',
      'the estimate is missing',
      'Bellhop is not subscribed',
    ])
  })
  test('who takes the label off wins', () => {
    const told = story(documents, true).people({ do: 'label', remove: 'documentation' }).becomes({ labels: [] })
    expect(details(told)).toEqual([])
  })
  test('one that never was documentation has no such label', () => {
    expect(details(story({ labels: ['documentation'] }))).toEqual(['the label documentation is on without a reason'])
  })
})

describe('a failed pipeline', () => {
  test('is shown by label and note, for the newest pipeline of the head', () => {
    expect(
      details(
        story({ labels: ['red'] })
          .note(bot, failedNote)
          .pipeline('success')
          .pipeline('failed', undefined, 2),
      ),
    ).toEqual([])
    expect(details(story().pipeline('failed'))).toEqual([
      'the pipeline failed, and the label red is missing',
      `the note “${failedNote}” should be there once`,
    ])
  })
  test('that was mended is shown no longer', () => {
    const told = story()
      .becomes({ labels: ['red'] })
      .note(bot, failedNote)
      .pipeline('failed')
      .pipeline('running')
    expect(details(told)).toEqual([
      'the label red was not taken back',
      `the note “${failedNote}” should be there never`,
    ])
  })
  test('of an older head counts no longer', () => {
    expect(details(story().pipeline('failed', 'older'))).toEqual([])
  })
  test('a label that people brought along is theirs', () => {
    expect(details(story({ labels: ['red'] }))).toEqual([])
  })
})

describe('approval', () => {
  test('is given to what is ready', () => {
    expect(details(story({ labels: ['ready'] }))).toEqual(['it is ready, and not approved by Bellhop'])
  })
  test('is taken back from what is no longer ready', () => {
    expect(details(story({ labels: ['ready', 'hold'], approved_by: [bot] }))).toEqual([
      'the approval was not taken back',
    ])
    expect(details(story({ labels: ['ready', 'hold'], approved_by: [bob] }))).toEqual([])
  })
})

describe('merging', () => {
  test('what asks for it and is green does not stay open', () => {
    expect(details(story({ labels: ['automerge'] }).pipeline('success'))).toEqual(['it asks to be merged and is not'])
    expect(details(story({ labels: ['automerge'], title: 'Draft: Work 0' }).pipeline('success'))).toEqual([])
    expect(details(story({ labels: ['automerge'], target_branch: 'stable' }).pipeline('success'))).toEqual([])
  })
  test('a request for the present head is kept', () => {
    const asked = (fate: 'acknowledged' | 'uncertain') => story().command('bob', 'merge', fate)
    expect(details(asked('acknowledged').pipeline('success'))).toEqual([
      'its merge was requested for this head and did not come',
    ])
    expect(details(asked('uncertain').pipeline('success'))).toEqual([])
    expect(
      details(asked('acknowledged').people({ do: 'push', by: 'alice', documents: false }).pipeline('success')),
    ).toEqual([])
    expect(details(story().command('alice', 'merge', 'acknowledged').pipeline('success'))).toEqual([])
  })
})

test('what is turned off or no longer open is asked nothing', () => {
  expect(details(story({ labels: ['automerge', 'bellhop::off'] }).pipeline('success'))).toEqual([])
  expect(details(story({ labels: ['ready'], state: 'closed' }))).toEqual([])
})
