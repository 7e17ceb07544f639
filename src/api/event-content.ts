// What makes two deliveries report one and the same event: a group's hook and a project's hook both fire for it, with ids of their own (hosting-service.md §1.1).
import { hash } from 'node:crypto'

// Named differently by a system hook and by a project's hook.
const kinds: ReadonlySet<string> = new Set(['object_kind', 'event_name', 'event_type'])

/**
 * A hash of what a payload says happened; undefined where there is nothing to compare: then only the delivery's own id counts. Two events may
 * still have one content: what is done, undone and done again within a second, or without an `updated_at` that moves.
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
    // Deeper than can be written.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The values that are no lists and objects, in one order. */
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
