// The view: each fact by name; what is not read says so, what cannot be read says why.
import { describe, expect, it } from 'vitest'
import { factNamed } from '../../../../src/rules/facts/index.ts'
import { createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import { answer, head, input } from '../../world.ts'

const fact = (name: string, answers = {}) => createView(input([], { answers })).fact(name)

describe('a fact', () => {
  it.each([
    ['not read names its source', 'title', {}, { is: 'unread', source: 'mergeRequest' }],
    ['read is known', 'title', { mergeRequest: answer({ title: 'A' }) }, { is: 'known', value: 'A', complete: true }],
    [
      'of a list that was cut is known in part',
      'commit_messages',
      { mergeRequest: answer({ sha: head }), commits: answer([{ id: head, message: 'a' }], false) },
      { is: 'known', value: ['a'], complete: false },
    ],
    [
      'of a source that failed says why',
      'title',
      { mergeRequest: { ok: false, reason: '403 Forbidden' } },
      { is: 'absent', reason: '403 Forbidden' },
    ],
    [
      'of a body of another shape is absent',
      'title',
      { mergeRequest: answer([1]) },
      { is: 'absent', reason: 'the hosting service’s answer cannot be read' },
    ],
    [
      'of a list that is no list is absent',
      'commit_messages',
      { commits: answer({}) },
      { is: 'absent', reason: 'the hosting service’s answer cannot be read' },
    ],
    ['that nobody declared is absent', 'toString', {}, { is: 'absent', reason: 'there is no such fact' }],
  ])('%s', (_what, name, answers, expected) => {
    expect(fact(name, answers)).toEqual(expected)
  })
  it('is found by its own name only', () => {
    expect(factNamed('title')?.type.name).toBe('text')
    expect(factNamed('__proto__')).toBeUndefined()
  })
})
