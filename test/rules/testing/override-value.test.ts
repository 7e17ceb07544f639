// Values of facts as people write them.
import { describe, expect, it } from 'vitest'
import { factNamed } from '../../../src/rules/facts/index.ts'
import type { Issue } from '../../../src/rules/language/values/shapes.ts'
import { readMoment, readValue } from '../../../src/rules/testing/overrides.ts'

function read(name: string, value: unknown) {
  const fact = factNamed(name)
  if (fact === undefined) throw new Error(`there is no fact ${name}`)
  const issues: Issue[] = []
  return { value: readValue(fact, value, [name], issues), issues }
}
const known = (value: unknown, complete = true) => ({ is: 'known', value, complete })

describe('a value', () => {
  it.each([
    ['draft', true, true],
    ['title', 'Draft: a', 'Draft: a'],
    ['assignee', null, null],
    ['age', '2d', 172_800],
    ['time_estimate', '1d', 28_800],
    ['labels', [], []],
    ['author_access', 'developer', 'developer'],
    ['clock', '2026-01-01T00:00Z', Date.parse('2026-01-01T00:00:00Z')],
  ])('%s: %j', (name, written, value) => {
    expect(read(name, written)).toEqual({ value: known(value), issues: [] })
  })
  it('may be unknown, or a list or a count that the service cut', () => {
    expect(read('labels', 'unknown').value).toMatchObject({ is: 'absent' })
    expect(read('labels', { value: ['a'], complete: false }).value).toEqual(known(['a'], false))
    expect(read('changed_files_count', { value: 1000, complete: false }).value).toEqual(known(1000, false))
  })
  it.each([
    ['draft', 'yes'],
    ['title', null],
    ['labels', 'a'],
    ['labels', { value: ['a'], complete: true }],
    ['labels', { value: 'a', complete: false }],
    ['changed_files_count', '3'],
    ['age', 3],
  ])('%s: %j is none, and says what is expected', (name, written) => {
    const { value, issues } = read(name, written)
    expect([value, issues.length, issues[0]?.expected]).toEqual([undefined, 1, expect.any(String)])
  })
})

it('a moment has a zone, and at least minutes', () => {
  expect(readMoment('2026-12-24 10:00+01:00')).toBe('2026-12-24T09:00:00.000Z')
  for (const text of ['2026-12-24', '2026-12-24T10:00', '10:00Z', '2026-02-30T99:00Z', 5, null])
    expect(readMoment(text)).toBeUndefined()
})
