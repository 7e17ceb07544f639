// The shapes of parameters that several routes of the admin API take.
import * as z from 'zod'
import { deliveryStates } from '../journal/delivery-states.ts'
import type { DeliveryFilter } from '../journal/types.ts'

export const nothing = z.strictObject({})
/** A whole number, which in a query is digits; nothing else is made a number of: `true` is not 1. */
export const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.preprocess((given) => (typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : given), z.int().min(least).max(most))
export const integer = whole(1)
/** 0 is the project itself. */
export const iidOrProject = whole(0)
/** In a query it is a text, in JSON mostly not. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
/** Any text: of most there is nothing of that name. */
export const byId = z.object({ id: z.string() })
export const why = z.string().trim().min(1).max(500).optional().describe('Why, for the audit log.')
const time = z.iso.datetime({ offset: true })
export const within = {
  since: time.optional().describe('From then on.'),
  until: time.optional().describe('Before then.'),
}
export const paged = {
  limit: whole(1, 200).default(50),
  after: z.string().max(1000).optional().describe('The `next` of the page before.'),
}
export const deliveryFilter = {
  project: integer.optional(),
  iid: integer.optional().describe('Of a merge request of that project.'),
  state: z.enum(deliveryStates).optional(),
  kind: z.string().min(1).max(200).optional().describe('Of its event, such as `note.create`.'),
  rule: z.string().min(1).max(500).optional().describe('The name of a rule that held in a decision that it led to.'),
  outcome: z
    .enum(['failed'])
    .optional()
    .describe('Of a decision that it led to: a call of it was refused, or its effect is unknown. With a rule, of one in which that held.'),
  ...within,
}

type Filtered = { project?: number | undefined; iid?: number | undefined } & {
  [K in 'state' | 'kind' | 'rule' | 'outcome' | 'since' | 'until']?: DeliveryFilter[K] | undefined
}

/** The journal's filter; a sentence where it names half a merge request. */
export function readDeliveryFilter({ project, iid, ...rest }: Filtered, service: string): DeliveryFilter | string {
  if (iid === undefined) return withoutUndefined({ ...rest, project })
  // Half a name is refused: the answer to another question would look like the one to this.
  return project === undefined
    ? 'A merge request is named by project and iid together.'
    : withoutUndefined({ ...rest, mergeRequest: { service, project, iid } })
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The journal's filters know no undefined. */
export function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>
}
