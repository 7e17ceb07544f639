// Delivery payloads: only the fields that are read, each optional; which event a payload reports; and signatures of hooks.
import { createHmac, hash } from 'node:crypto'
import * as z from 'zod'
import { isMap } from './json.ts'

// A malformed field counts as absent, so that no delivery fails.
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
const integer = lenient(z.int())
const text = lenient(z.string())

const actor = lenient(z.object({ id: integer, username: text }))
const project = lenient(z.object({ id: integer, path_with_namespace: text, default_branch: text }))
const commit = lenient(z.object({ id: text }))
const mergeRequestLink = lenient(
  z.object({
    iid: integer,
    title: text,
    url: text,
    source_branch: text,
    source_project_id: integer,
    target_branch: text,
    target_project_id: integer,
    last_commit: commit,
  }),
)

const issueLink = lenient(
  z.object({ iid: integer, project_id: integer, title: text, url: text, confidential: lenient(z.boolean()) }),
)

export const payload = z.object({
  object_kind: text,
  event_name: text,
  /** `confidential_issue`, `confidential_note` and others. */
  event_type: text,
  user: actor,
  user_id: integer,
  user_username: text,
  project,
  project_id: integer,
  /** Sent with a release or a milestone. */
  action: text,
  /** Sent with a deployment. */
  status: text,
  /** Sent with a release. */
  tag: text,
  ref: text,
  before: text,
  after: text,
  /** Sent with a note, a pipeline or an emoji. */
  merge_request: mergeRequestLink,
  /** Sent with a note or an emoji. */
  issue: issueLink,
  /** Null and malformed values count as absent. */
  changes: lenient(z.record(z.string(), z.unknown())),
  object_attributes: lenient(
    z.object({
      id: integer,
      iid: integer,
      title: text,
      url: text,
      action: text,
      oldrev: text,
      updated_at: text,
      confidential: lenient(z.boolean()),
      target_branch: text,
      target_project_id: integer,
      source_branch: text,
      source_project_id: integer,
      last_commit: commit,
      status: text,
      sha: text,
      ref: text,
      tag: lenient(z.boolean()),
      source: lenient(z.unknown()),
      note: text,
      noteable_type: text,
      awardable_type: text,
      /** For a note: the service wrote it. For a merge request, since 18.6: a push withdrew an approval. */
      system: lenient(z.boolean()),
    }),
  ),
})
export type Payload = z.output<typeof payload>

type ReadPayload = { ok: true; payload: Payload; content?: string } | { ok: false; reason: string }

// The largest known payload has some thousand values, nine levels deep.
const shapeLimits = { depth: 100, values: 500_000 }

/** Parses a raw body. `reason` says why it is unreadable, without quoting it. */
export function readPayload(body: string): ReadPayload {
  if (exceedsShape(body, shapeLimits))
    return { ok: false, reason: 'The body is deeper, or holds more values, than any event.' }
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch (error) {
    return { ok: false, reason: `The body is not JSON (${error instanceof Error ? error.name : 'unreadable'}).` }
  }
  const read = payload.safeParse(json)
  if (!read.success) return { ok: false, reason: 'The body is JSON, but not an object.' }
  if (read.data.object_kind === undefined && read.data.event_name === undefined) {
    return { ok: false, reason: 'The body has neither object_kind nor event_name.' }
  }
  const content = eventContent(json)
  return { ok: true, payload: read.data, content }
}

// A system hook and a project's hook use different names.
const kinds: ReadonlySet<string> = new Set(['object_kind', 'event_name', 'event_type'])

/**
 * A hash of the event's content; undefined when only the delivery id identifies it. Two events may have equal content:
 * when something is done, undone and done again within a second, or `updated_at` does not move.
 */
export function eventContent(json: unknown): string | undefined {
  if (!isMap(json)) return undefined
  const attributes = isMap(json.object_attributes) ? json.object_attributes : {}
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
  return isMap(value) ? [value.id ?? null, value.iid ?? null, value.username ?? null] : null
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])

/**
 * True when lists and objects nest deeper than `depth`, or there are more than `values` values; exact for valid JSON.
 * Asked before parsing: a hostile body takes seconds and gigabytes.
 */
export function exceedsShape(
  text: string,
  { depth: deepest, values: most }: { depth: number; values: number },
): boolean {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (openers.has(code)) {
      depth += 1
      values += 1
    } else if (closers.has(code)) depth -= 1
    else if (code === comma) values += 1
    if (depth > deepest || values > most) return true
  }
  return false
}

/** The end of the string that starts at `from`. */
function endOfString(text: string, from: number) {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** One `webhook-signature`. `token` is `whsec_` and the key in base64, `timestamp` in seconds since 1970. */
export function hookSignature(
  token: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: Buffer | string },
): string {
  const key = Buffer.from(token.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}
