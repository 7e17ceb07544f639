// Times of forms, which have no zone, are in UTC.

/** The query with its times in ISO 8601, as the admin API takes them. */
export function inUtc(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      isWithoutZone(name, value) ? `${value.slice(0, 16)}:00Z` : value,
    ]),
  )
}

const isWithoutZone = (name: string, value: string) =>
  (name === 'since' || name === 'until') && /^[\d-]{10}T\d\d:\d\d(:\d\d)?$/.test(value)
