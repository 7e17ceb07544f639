// Reading an `if`: what each way of writing it means.
import { readCondition } from '../../../src/rules/language/conditions.ts'
import type { Issue } from '../../../src/rules/language/values/shapes.ts'

const read = (value: unknown) => readCondition(value, [], [])

describe('a condition', () => {
  it.each([
    ['a bare value means equals', { author: 'alice' }, { fact: 'author', operator: 'equals', expected: 'alice' }],
    [
      'a list means one of',
      { author: ['alice', 'bob'] },
      { fact: 'author', operator: 'one_of', expected: ['alice', 'bob'] },
    ],
    ['a bare value of a list means any', { labels: 'hold' }, { fact: 'labels', operator: 'any', expected: ['hold'] }],
    ['a list of a list means any', { labels: ['a', 'b'] }, { fact: 'labels', operator: 'any', expected: ['a', 'b'] }],
    ['null means none', { milestone: null }, { fact: 'milestone', operator: 'equals', expected: null }],
    [
      'a duration becomes seconds',
      { time_estimate: '1d' },
      { fact: 'time_estimate', operator: 'equals', expected: 28_800 },
    ],
    [
      'an age becomes seconds',
      { age: { older_than: '1d' } },
      { fact: 'age', operator: 'older_than', expected: 86_400 },
    ],
    [
      'a key of a word that is no fact means a fact',
      { since: { pushed: { older_than: '1d' } } },
      { fact: 'since_pushed', operator: 'older_than', expected: 86_400 },
    ],
    [
      'several such keys are joined by and',
      { since: { pushed: { older_than: '1d' }, ready: { newer_than: '1h' } } },
      {
        all: [
          { fact: 'since_pushed', operator: 'older_than', expected: 86_400 },
          { fact: 'since_ready', operator: 'newer_than', expected: 3600 },
        ],
      },
    ],
    [
      'a label next to an operator means the fact of that label',
      { since: { labelled: { label: 'in review', not: { older_than: '1h' } } } },
      { not: { fact: 'since_labelled in review', operator: 'older_than', expected: 3600 } },
    ],
    [
      'not before a value',
      { author: { not: 'alice' } },
      { not: { fact: 'author', operator: 'equals', expected: 'alice' } },
    ],
    [
      'not before a list',
      { state: { not: ['closed'] } },
      { not: { fact: 'state', operator: 'one_of', expected: ['closed'] } },
    ],
    [
      'not before an operator',
      { title: { not: { matches: 'x' } } },
      { not: { fact: 'title', operator: 'matches', expected: 'x' } },
    ],
    [
      'an expression as an item',
      { commit_messages: { all: { matches: '^feat' } } },
      { fact: 'commit_messages', operator: 'all', expected: [{ matches: '^feat' }] },
    ],
  ])('%s', (_what, value, expected) => {
    expect(read(value)).toEqual(expected)
  })
  it('joins several operators of one fact by and', () => {
    expect(read({ labels: { any: 'a', none: 'b' } })).toEqual({
      all: [
        { fact: 'labels', operator: 'any', expected: ['a'] },
        { fact: 'labels', operator: 'none', expected: ['b'] },
      ],
    })
  })
  it('nests all, any and not', () => {
    const draft = { fact: 'draft', operator: 'equals', expected: true }
    expect(read({ any: [{ draft: true }, { not: { draft: true } }], all: [{ draft: true }] })).toEqual({
      all: [{ any: [draft, { not: draft }] }, { all: [draft] }],
    })
  })
  it.each([
    [{ toString: 'x' }, 'toString'],
    [{ constructor: 'x' }, 'constructor'],
    [{ labels: { toString: 'x' } }, 'toString'],
  ])('does not take %j from a prototype', (value, key) => {
    const issues: Issue[] = []
    expect(readCondition(value, [], issues)).toBeUndefined()
    expect(issues.map((issue) => issue.path.at(-1))).toEqual([key])
  })
})
