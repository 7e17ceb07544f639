// Ages and the times that services send.
import { describe, expect, it } from 'vitest'
import { parseTime } from '../../../src/rules/facts/time.ts'
import { answers, verdictOf } from '../world.ts'

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

describe('age', () => {
  it.each([
    ['{ older_than: 9d }', 'true'],
    ['{ older_than: 10d }', 'false'],
    ['{ newer_than: 10d }', 'false'],
    ['{ newer_than: 1w4d }', 'true'],
  ])('%s after ten days is %s', (condition, verdict) => {
    expect(verdictOf(`{ age: ${condition} }`)).toBe(verdict)
  })
  it('is unknown where the service or the clock makes no sense', () => {
    expect(verdictOf('{ age: { older_than: 1d } }', { answers: answers({ created_at: 'long ago' }) })).toBe('unknown')
    expect(verdictOf('{ age: { older_than: 1d } }', { now: 'now' })).toBe('unknown')
  })
  it('of a clock that is behind is none', () => {
    expect(verdictOf('{ age: { newer_than: 1m } }', { now: '2025-01-01T00:00:00Z' })).toBe('true')
  })
})
