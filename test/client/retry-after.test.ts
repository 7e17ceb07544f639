// How long the service wants to be left alone, as its headers say it.
import { readLimits, readRetryAfter } from '../../src/client/response.ts'
import { NOW } from './world.ts'

it.each<[string, number, Record<string, string>, number | undefined]>([
  ['seconds', 503, { 'retry-after': '7' }, 7_000],
  ['zero', 429, { 'retry-after': '0' }, 0],
  ['a date', 429, { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT' }, 60_000],
  ['a date that has passed', 429, { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
  ['a day at most', 429, { 'retry-after': '999999999' }, 86_400_000],
  ['nothing in a negative number', 429, { 'retry-after': '-5' }, undefined],
  ['nothing in a fraction', 429, { 'retry-after': '1.5' }, undefined],
  ['nothing in words', 429, { 'retry-after': 'soon' }, undefined],
  ['the end of the limit’s window', 429, { 'ratelimit-reset': String(NOW / 1000 + 30) }, 30_000],
  ['Retry-After before the window', 429, { 'retry-after': '1', 'ratelimit-reset': String(NOW / 1000 + 30) }, 1_000],
  ['no window where no limit was met', 503, { 'ratelimit-reset': String(NOW / 1000 + 30) }, undefined],
  ['nothing', 429, {}, undefined],
])('readRetryAfter reads %s', (_, status, headers, wanted) => {
  expect(readRetryAfter(status, new Headers(headers), NOW)).toBe(wanted)
})

describe('readLimits', () => {
  it('gives nothing where the service says nothing', () => {
    expect(readLimits(new Headers({ 'ratelimit-remaining': 'many' }), NOW)).toBeUndefined()
  })

  it('gives what one header alone says', () => {
    expect(readLimits(new Headers({ 'ratelimit-remaining': '12' }), NOW)).toEqual({ remaining: 12, resetAt: undefined })
  })

  it('corrects the end of the window by how far the service’s clock is from ours', () => {
    const serviceNow = NOW + 600_000
    const headers = { 'ratelimit-reset': String(serviceNow / 1000 + 30), date: new Date(serviceNow).toUTCString() }
    expect(readLimits(new Headers(headers), NOW)?.resetAt).toBe(NOW + 30_000)
    expect(readRetryAfter(429, new Headers(headers), NOW)).toBe(30_000)
  })
})
