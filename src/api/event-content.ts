// Identifies the event of a delivery: a group's and a project's hook both report it, with different ids.
import { hash } from 'node:crypto'

// A system hook and a project's hook use different names.
const kinds: ReadonlySet<string> = new Set(['object_kind', 'event_name', 'event_type'])

/**
 * A hash of the event's content; undefined when only the delivery id identifies it. Two events may have equal content:
 * when something is done, undone and done again within a second, or `updated_at` does not move.
 */
export function eventContent(json: unknown): string | undefined {
  if (!isObject(json)) return undefined
  const attributes = isObject(json.object_attributes) ? json.object_attributes : {}
  const content = [
    json.object_kind ?? json.event_name,
    plain(json).filter(([key]) => !kinds.has(key)),
    plain(attributes),
    json.changes ?? null,
    ...['project', 'user', 'merge_request'].map((key) => named(json[key])),
  ]
  try {
    return hash('sha256', JSON.stringify(content)).slice(0, 32)
  } catch (error) {
    // Deeper than JSON.stringify can go.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The scalar values, in one order. */
function plain(object: Record<string, unknown>): [string, unknown][] {
  return Object.entries(object)
    .filter(([, value]) => typeof value !== 'object' || value === null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function named(value: unknown): unknown {
  return isObject(value) ? [value.id ?? null, value.iid ?? null, value.username ?? null] : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
