// Whether a condition can end.
import { readCondition } from '../../../src/rules/language/conditions.ts'
import { mayNeverEnd } from '../../../src/rules/language/endless.ts'

test.each([
  [{ clock: { days: ['fri'] } }, false],
  [{ clock: { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] } }, true],
  [{ labels: { any: ['hold'] } }, false],
  [{ author: ['alice'] }, true],
  [{ not: { clock: { days: ['fri'] } } }, false],
  [{ any: [{ clock: { days: ['fri'] } }, { author: ['alice'] }] }, true],
  [{ all: [{ clock: { days: ['fri'] } }, { author: ['alice'] }] }, false],
])('%j: %s', (written, expected) => {
  const condition = readCondition(written, [], [], { defs: new Map() })
  expect(condition && mayNeverEnd(condition)).toBe(expected)
})
