// Responses of the admin API for its OpenAPI document; a test compares real responses. They may have more fields.
import * as z from 'zod'
import { type DecisionRecord, type DeliveryRecord, deliveryStates } from '../../journal/types.ts'

const text = z.string()
/** The schema of a type that has more fields than it describes. */
export const partly = <T>(schema: z.ZodType) => schema as z.ZodType<T>
/** An object that is not described further. */
export const object = <T>() => partly<T>(z.looseObject({}))
export const time = z.iso.datetime()
/** Next to each `project` of a response (run-route.ts). */
export const names = {
  path: text.optional().describe('The full path of the project; absent until its rules were read.'),
  title: text.optional().describe('The title of the merge request or issue, as last seen.'),
  url: text.optional().describe('Its page of the hosting service.'),
}
export const subject = z.literal('issue').optional().describe('The iid is the number of an issue.')
const iid = z.int().nonnegative().describe('0 is the project itself.')
export const mergeRequestRef = z.object({ project: z.int(), iid, subject, ...names })
const event = z.looseObject({
  kind: text,
  at: time,
  project: z.int().optional(),
  iid: iid.optional(),
  subject,
})
export const count = z.int().nonnegative()
/** The counts of a period or a project. */
export const counts = { deliveries: count, unread: count, decisions: count, done: count, failed: count }
const hookHealth = z.object({
  ...{ result: text, details: z.array(text), bad: z.boolean(), checkedAt: time },
  events: z.array(text).describe('The events that the rules in force need.'),
})
/** `result`: `up_to_date`, `missing`, `disabled`, `wrong`, `deliveries_fail`, `failed` (it could not be asked). */
export type HookHealth = z.output<typeof hookHealth>
export const hook = hookHealth.nullable().describe('Null if BELLHOP_URL is not set.')
const condition = { is: text, reason: text.optional() }
export const systemStatus = z.object({
  service: z.object({ ...condition, since: z.number().optional() }),
  capacity: z.object(condition),
  rateLimit: z
    .object({ remaining: z.number().optional(), resetAt: z.number().optional() })
    .optional()
    .describe('Absent if the service does not report it.'),
})
export const pausedProject = z.object({ project: z.int(), ...names, at: time, by: text, why: text.optional() })
const replays = z.array(z.looseObject({ at: time, by: text }))

const deliveryFields = z.looseObject({
  id: text,
  receivedAt: time,
  header: text,
  bytes: z.int(),
  state: z.enum(deliveryStates),
  reason: text.optional(),
  event: event.optional(),
  mergeRequests: z.array(mergeRequestRef),
  replays,
})
export const delivery = partly<DeliveryRecord>(deliveryFields)
const decisionFields = z.looseObject({
  id: text,
  mergeRequest: mergeRequestRef,
  at: time,
  evaluation: text.optional().describe('The same for all decisions of one evaluation.'),
  deliveries: z.array(text).describe('Ids of the deliveries that triggered it.'),
  replayOf: z
    .array(z.object({ of: z.enum(['delivery', 'decision']), id: text, number: z.int() }))
    .optional()
    .describe('The replays that triggered it.'),
  tookMs: z.number(),
  rules: z
    .array(z.looseObject({ key: text, name: text, verdict: z.enum(['true', 'false', 'unknown']) }))
    .describe('The trace of each rule.'),
  calls: z.array(z.looseObject({ endpoint: text, action: text, rules: z.array(text) })),
  responses: z.array(z.looseObject({ status: z.int().nullable(), result: text, at: time, tookMs: z.number() })),
  head: text.nullable(),
})
export const decision = partly<DecisionRecord>(decisionFields)
export const sweep = z.looseObject({ id: text, of: text, dryRun: z.boolean(), state: text, askedAt: time })
export const audit = z.object({
  id: text,
  at: time,
  by: text.describe('The name of the token; for a merge past the rules, the user name of who merged.'),
  operation: text,
  to: z.record(text, z.unknown()).describe('The parameters.'),
  why: text.optional(),
  status: z
    .int()
    .optional()
    .describe('The HTTP status; absent if the operation was interrupted, and for a merge past the rules.'),
})

export const nextPage = z.string().optional().describe('Pass it as `after` for the next page; absent on the last page.')

/** A page of a list. */
export const page = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), next: nextPage })
