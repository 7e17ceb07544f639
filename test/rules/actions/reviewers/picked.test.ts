// What is remembered of picked reviewers.
import { describe, expect, it } from 'vitest'
import {
  pickedIn,
  pickedMemo,
  rememberPicked,
  whoHasBegun,
} from '../../../../src/rules/actions/reviewers/candidates.ts'
import type { Memory, SourceAnswer } from '../../../../src/rules/types.ts'
import { answer } from '../../world.ts'

const empty: Memory = { rules: {}, pushes: [] }
const at = '2026-01-11T00:00:00Z'
const bob = { id: 3, name: 'bob' }
const asked = rememberPicked(empty, pickedMemo('a.yml#one', [bob]), at)

describe('whether somebody has begun', () => {
  const refused = (status: number): SourceAnswer => ({ ok: false, reason: 'no', status })
  it.each([
    ['notes that were cut', answer([], false), answer([])],
    ['notes that are refused', refused(403), answer([])],
    ['notes of another shape', answer({}), answer([])],
    ['states that are refused', answer([]), refused(403)],
  ])('is unknown with %s', (_what, notes, states) => {
    const read = (name: string) => (name === 'notes' ? notes : states)
    const body = (name: string) => {
      const found = read(name)
      return found.ok && found.complete ? found.body : undefined
    }
    const given = { answer: read, body, fact: () => [] }
    expect(whoHasBegun(pickedIn(asked), given as never)).toBe('unknown')
  })
})
