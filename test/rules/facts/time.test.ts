// Ages and the clock.
import { describe, expect, it } from 'vitest'
import { actualOf, unsaid } from '../actual.ts'
import { answers, verdictOf } from '../world.ts'

describe('updated', () => {
  it.each([
    ['{ older_than: 23h }', 'true'],
    ['{ older_than: 1d }', 'false'],
    ['{ newer_than: 25h }', 'true'],
  ])('%s after a day is %s', (condition, verdict) => {
    expect(verdictOf(`{ updated: ${condition} }`)).toBe(verdict)
  })
  it('is unknown where the service does not say', () => {
    expect(verdictOf('{ updated: { newer_than: 1d } }', { answers: answers({ updated_at: undefined }) })).toBe(
      'unknown',
    )
  })
})

it('clock is the time of the decision', () => {
  const actual = (now: string) => actualOf('clock: { days: sun }', {}, {}, { now })
  expect(actual('2026-03-29T01:00:00Z')).toBe('Sun, 29 Mar 2026 01:00:00 GMT')
  expect(actual('soon')).toBe(unsaid)
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
