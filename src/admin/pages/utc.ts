// Times as a form sends them, which have no zone: on these pages all are in UTC.

/** The query with its times as the admin API takes them. */
export function inUtc(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, isWithoutZone(name, value) ? `${value.slice(0, 16)}:00Z` : value]),
  )
}

const isWithoutZone = (name: string, value: string) => (name === 'since' || name === 'until') && /^[\d-]{10}T\d\d:\d\d(:\d\d)?$/.test(value)
