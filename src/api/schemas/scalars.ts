// The scalar types of api-v4.md §2: ids, times, visibility, access levels, states.
import { z } from 'zod'

export const id = z.int().positive()
/** `:id` of a project or group: an integer or a path, which the client encodes (api-v4.md §4). */
export const idOrPath = z.union([id, z.string().min(1).max(1000)])
/** ISO 8601. */
export const datetime = z.string()
export const visibility = z.enum(['private', 'internal', 'public'])
/** Guest 10, reporter 20, developer 30, maintainer 40, owner 50. */
export const accessLevel = z.union([z.literal(10), z.literal(20), z.literal(30), z.literal(40), z.literal(50)])
export const sha = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)
export const pageQuery = {
  /** From 1 (api-v4.md §8). */
  page: z.int().positive().default(1),
  /** 20 up to 100 (api-v4.md §8). */
  per_page: z.int().positive().max(100).default(20),
}
export const text = z.string()
export const name = z.string().min(1).max(255)
