// A landing of what no pipeline tested, and a merge request that waits for ever, are seen.
import { type Chain, stuck, type TestedCommit, untested } from '../../soak/landings.ts'

const treeOf = (sha: string) => `tree of ${sha}`
const chain = (land: Chain['land'], ...shas: string[]): Chain => ({
  land,
  commits: shas.map((sha) => ({ sha, tree: treeOf(sha) })),
})
/** Green with the tree of the first commit, built on the second one. */
const green = (sha: string, base: string): TestedCommit => ({ tree: treeOf(sha), base: treeOf(base) })
const nobody = new Set<string>()

describe('by the accept call', () => {
  const landed = chain('accept', 'first', 'one', 'two')

  test('every commit has the tree of a green one on the tree before it', () => {
    const tested = [green('one', 'first'), green('two', 'one')]
    expect(untested(landed, tested, nobody)).toEqual([])
  })

  test('a tree that was green on another tree is untested', () => {
    const tested = [green('one', 'first'), green('two', 'first')]
    expect(untested(landed, tested, nobody)).toEqual(['two landed untested'])
  })

  test('what people made needs no pipeline, and what lands on it does', () => {
    expect(untested(landed, [], new Set(['one']))).toEqual(['two landed untested'])
  })
})

describe('by a push', () => {
  const landed = chain('push', 'first', 'one', 'two', 'three')

  test('the last commit of each batch was green on the last commit before the batch', () => {
    expect(untested(landed, [green('three', 'first')], nobody)).toEqual([])
    expect(untested(landed, [green('one', 'first'), green('three', 'one')], nobody)).toEqual([])
  })

  test('a part of a batch is untested', () => {
    expect(untested(landed, [green('two', 'first')], nobody)).toEqual(['three landed untested'])
  })

  test('a batch that was built on another commit is untested', () => {
    const all = ['one', 'two', 'three'].map((sha) => `${sha} landed untested`)
    expect(untested(landed, [green('three', 'another')], nobody)).toEqual(all)
  })

  test('a part of a batch under what somebody pushed is untested', () => {
    expect(untested(landed, [], new Set(['two', 'three']))).toEqual(['one landed untested'])
  })
})

test('only what is open, waits for nobody and was not removed is stuck', () => {
  const open = { iid: 1, state: 'opened', waits: false, notes: ['Position 1 of 1.'] }
  const removed = { ...open, iid: 4, notes: ['The merge queue of `master` removed it: its pipeline failed.'] }
  expect(stuck([open, { ...open, iid: 2, waits: true }, { ...open, iid: 3, state: 'merged' }, removed])).toEqual([1])
})
