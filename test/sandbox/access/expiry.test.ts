// Dates with which memberships and shares end.
import { describe, expect, test } from 'vitest'
import { checkExpiry, hasEnded } from '../../../src/sandbox/access/expiry.ts'
import { ErrorResponse } from '../../../src/sandbox/http/error-response.ts'

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

test('an expiry date counts as expired on that day', () => {
  const dates = [null, day(-1), day(0), day(2)]
  expect(dates.map((expires_at) => hasEnded({ expires_at }))).toEqual([false, true, true, false])
})

describe('a date to keep', () => {
  test('is null when missing or empty, and kept when in the future', () => {
    expect([checkExpiry(undefined), checkExpiry(''), checkExpiry('9999-12-31')]).toEqual([null, null, '9999-12-31'])
  })

  test.each([
    ['2027-02-30', 'is invalid'],
    ['2027-13-01', 'is invalid'],
    ['0000-00-00', 'is invalid'],
    ['2001-01-01', 'cannot be a date in the past'],
  ])('%s is refused: %s', (given, reason) => {
    expect(() => checkExpiry(given)).toThrow(new ErrorResponse(400, { message: { expires_at: [reason] } }))
  })
})
