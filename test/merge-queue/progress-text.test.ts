// The progress of an entry in words.
import { etaText, markdownStyle, plainStyle, progressText } from '../../src/merge-queue/progress-text.ts'
import { minute } from './queue-world.ts'

const noon = 12 * 60 * minute

test.each([
  [0, 0, 'About 12:00 UTC.'],
  [0.5, 3.2, 'About 12:02 UTC.'],
  [14, 22, 'About 12:18 UTC.'],
  [-9, 3, 'About 12:00 UTC.'],
  [600, 900, 'About Fri 1970-01-02 00:30 UTC.'],
])('from %s to %s minutes: %s', (from, to, text) => {
  expect(etaText({ from: noon + from * minute, to: noon + to * minute }, noon)).toBe(text)
})

const progress = {
  ...{ position: 3, of: 7, waitsFor: [], eta: { from: 14 * minute, to: 22 * minute } },
  build: { number: 4, others: [12, 15], base: '1a2b3c4d5e', hasPipeline: true, link: 'https://git/p/1' },
}

test('says the position, what it is tested with and on, and when it lands', () => {
  expect(progressText(progress, 'main', 0)).toBe(
    'Position 3 of 7. Testing with !12 and !15 on main@1a2b3c4d (pipeline https://git/p/1). About 00:18 UTC.',
  )
  expect(progressText(progress, 'main', 0, markdownStyle)).toBe(
    'Position 3 of 7. Testing with !12 and !15 on `main@1a2b3c4d` ([pipeline](https://git/p/1)). About 00:18 UTC.',
  )
})

test('says of a build without a pipeline that it waits for one', () => {
  const build = { number: 1, others: [12], hasPipeline: false }
  expect(progressText({ position: 1, of: 1, waitsFor: [], build }, 'main', 0)).toBe(
    'Position 1 of 1. Its build with !12 on main waits for a pipeline.',
  )
})

test('names at most ten others', () => {
  const others = Array.from({ length: 13 }, (_, index) => index + 1)
  const text = progressText({ ...progress, build: { number: 1, others, hasPipeline: true } }, 'main', 0)
  expect(text).toContain('Testing with !1, !2, !3, !4, !5, !6, !7, !8, !9, !10 and 3 more on main.')
})

test.each(['javascript:alert(1)', 'https://git/a)[x](https://evil', 'https://git/a b', ''])(
  'a hostile link is not written: %s',
  (link) => {
    const text = progressText({ ...progress, build: { ...progress.build, link } }, 'a`b', 0, markdownStyle)
    expect(text).toContain('on `ab@1a2b3c4d` (pipeline).')
  },
)

test('a branch that is in the way is named, as code where the text is Markdown', () => {
  const branch = 'bellhop/queue/main/@all'
  const paused = { reason: 'branch_in_the_way' as const, since: 0, branch }
  const text = (style = markdownStyle) => progressText({ position: 1, of: 1, waitsFor: [], paused }, 'main', 0, style)
  const said =
    'Position 1 of 1. The queue is paused: another branch keeps git from making those of the queue, and has to be'
  expect(text()).toBe(`${said} deleted or renamed: \`${branch}\`.`)
  expect(text(plainStyle)).toBe(`${said} deleted or renamed: ${branch}.`)
})
