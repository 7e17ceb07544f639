// What makes two deliveries report one and the same event: a group's hook and a project's hook both fire for it, with ids of their own (hosting-service.md §1.1).
import { createHash } from 'node:crypto'

export interface EventContent {
  hash: string
  /** The payload says when it happened, so that the same cannot have happened once more meanwhile. */
  isTimed: boolean
}

// Named differently by a system hook and by a project's hook.
const kinds: ReadonlySet<string> = new Set(['object_kind', 'event_name', 'event_type'])

/** The content of a payload's event; undefined where there is none to compare: then only the delivery's own id counts. */
export function eventContent(json: unknown): EventContent | undefined {
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
    const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)
    return { hash, isTimed: typeof attributes.updated_at === 'string' || typeof attributes.finished_at === 'string' }
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
