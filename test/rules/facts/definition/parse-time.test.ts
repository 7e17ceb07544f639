// The times that services send.
import { describe, expect, it } from 'vitest'
import { parseTime } from '../../../../src/rules/facts/definition/service-values.ts'

describe('a time', () => {
  it.each([
    '2017-09-15T16:50:55Z',
    '2017-09-15T16:50:55.000Z',
    '2017-09-15 16:50:55 UTC',
    '2017-09-15T18:50:55+02:00',
    '2017-09-15T18:50:55.000+0200',
  ])('of the form %s is read', (text) => {
    expect(parseTime(text)).toBe(Date.UTC(2017, 8, 15, 16, 50, 55))
  })
  it.each(['2017-09-15T16:50:55', '2017-09-15', 'yesterday', '', 5, null, undefined, '2017-13-45T99:99:99Z', {}])(
    '%j is no time',
    (value) => {
      expect(parseTime(value)).toBeUndefined()
    },
  )
})
