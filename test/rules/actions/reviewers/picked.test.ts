// What is remembered of picked reviewers.
import { describe, expect, it } from 'vitest'
import {
  isAnyDue,
  noticePicked,
  pickedIn,
  pickedMemo,
  rememberPicked,
  whoHasBegun,
} from '../../../../src/rules/actions/reviewers/picked.ts'
import type { Memory, SourceAnswer } from '../../../../src/rules/types.ts'
import { answer } from '../../world.ts'

const empty: Memory = { rules: {}, pushes: [] }
const at = '2026-01-11T00:00:00Z'
const bob = { id: 3, name: 'bob' }
const asked = rememberPicked(empty, pickedMemo('a.yml#one', [bob]), at)

describe('a call', () => {
  it('adds those whom it asked, for its rule, and keeps those before', () => {
    const carol = { id: 4, name: 'carol' }
    expect(pickedIn(rememberPicked(asked, { ...pickedMemo('a.yml#two', [carol]), 'user 4': 'carol' }, at))).toEqual([
      { ...bob, rule: 'a.yml#one', at },
      { ...carol, rule: 'a.yml#two', at },
    ])
  })
  it.each([[undefined], [null], [{ 'user 3': 'bob' }], [{ 'picked x': [{ id: 'a' }] }]])(
    'with %j adds nobody',
    (memo) => {
      expect(rememberPicked(empty, memo, at)).toBe(empty)
    },
  )
})

describe('what was noted', () => {
  it('is for the people of its rule', () => {
    const later = '2026-01-12T00:00:00Z'
    const note = (rule: string) => pickedIn(noticePicked(asked, { rule, active: [], waiting: ['bob'], at: later }))
    expect([note('a.yml#one'), note('a.yml#two')]).toMatchObject([[{ at: later }], [{ at }]])
    expect(pickedIn(noticePicked(asked, { rule: 'a.yml#one', active: ['bob'], waiting: [], at }))).toMatchObject([
      { active: true },
    ])
  })
  it('makes somebody who has begun never due', () => {
    const now = '2026-02-11T00:00:00Z'
    const begun = noticePicked(asked, { rule: 'a.yml#one', active: ['bob'], waiting: [], at })
    expect([
      isAnyDue({ memory: asked, now }, 60),
      isAnyDue({ memory: begun, now }, 60),
      isAnyDue({ memory: empty, now }, 60),
    ]).toEqual([true, false, false])
  })
})

describe('whether somebody has begun', () => {
  const refused = (status: number): SourceAnswer => ({ ok: false, reason: 'no', status })
  it.each([
    ['notes that were cut', answer([], false), answer([])],
    ['notes that are refused', refused(403), answer([])],
    ['notes of another shape', answer({}), answer([])],
    ['states that are refused', answer([]), refused(403)],
  ])('is unknown with %s', (_what, notes, states) => {
    const given = { answer: (name: string) => (name === 'notes' ? notes : states), fact: () => [] }
    expect(whoHasBegun(pickedIn(asked), given as never)).toBe('unknown')
  })
})
