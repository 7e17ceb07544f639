// The shapes of parameters that several routes of the admin API take.
import { z } from 'zod'

export const nothing = z.strictObject({})
export const integer = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)
/** In a query it is a text, in JSON mostly not. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
/** As long as a sender's id may get; beyond that there is nothing of that name. */
export const byId = z.object({ id: z.string() })
export const why = z.string().trim().min(1).max(500).optional().describe('Why, for the audit log.')
export const paged = {
  limit: integer.max(200).default(50),
  after: z.string().max(1000).optional().describe('The `next` of the page before.'),
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The journal's filters know no undefined. */
export function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>
}
