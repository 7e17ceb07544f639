// Weeks of ISO 8601, with the years in which they are most often wrong.
import { weekName, weekOf } from '../../../src/admin/api/insights.ts'

test.each([
  ['2026-11-25T21:00:00Z', '2026-11-23', '2026-W48'],
  ['2026-11-23T00:00:00Z', '2026-11-23', '2026-W48'],
  ['2026-11-22T23:59:59.999Z', '2026-11-16', '2026-W47'],
  ['2026-01-01T00:00:00Z', '2025-12-29', '2026-W01'],
  ['2027-01-01T00:00:00Z', '2026-12-28', '2026-W53'],
  ['2024-12-30T00:00:00Z', '2024-12-30', '2025-W01'],
  ['1970-01-01T00:00:00Z', '1969-12-29', '1970-W01'],
])('%s is in the week from %s, %s', (at, start, name) => {
  const begins = weekOf(Date.parse(at))
  expect(begins).toBe(`${start}T00:00:00.000Z`)
  expect(weekName(begins)).toBe(name)
})
