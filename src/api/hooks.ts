// Delivery payloads: only the fields that are read, each optional.
import * as z from 'zod'
import { eventContent } from './event-content.ts'
import { exceedsShape } from './json-shape.ts'

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
