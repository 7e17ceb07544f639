// The scalar types of the API page: ids, times, visibility, access levels, pages.
import * as z from 'zod'

/** The largest 32-bit integer. */
const most = 2_147_483_647
/** Above 32 bits too: gitlab.com has such notes and pipelines. */
export const id = z.int().positive()
/** An id; 0 and the empty string mean none. */
export const idOrNone = z.union([z.int().nonnegative(), z.literal('')])
/** A project or group: an integer, or a path that the client encodes. */
export const idOrPath = z.union([id, z.string().min(1).max(1000)])
/** The versions endpoints take `:id` as a string. */
export const idAsString = z.union([id, z.string().min(1).max(1000)]).transform(String)
export const count = z.int().nonnegative().max(most)
/** ISO 8601. */
export const datetime = z.string()
/** `2026-11-21` */
export const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
export const visibility = z.enum(['private', 'internal', 'public'])
/**
 * What can be granted: guest 10, reporter 20, developer 30, maintainer 40, owner 50; GitLab has minimal 5 in groups
 * (Premium) and planner 15 (17.7).
 */
export const accessLevel = z.literal([5, 10, 15, 20, 30, 40, 50])
/** What is shown: a newer service has levels that this version does not know. */
export const shownAccessLevel = z.int().nonnegative()
export const pageQuery = {
  /** From 1. */
  page: z.int().positive().max(most).default(1),
  /** 20 up to 100. */
  per_page: z.int().positive().max(100).default(20),
}
export const sort = z.enum(['asc', 'desc'])
/** Hyphens on the API page, underscores in newer versions. */
export const scope = z.enum(['created-by-me', 'assigned-to-me', 'all', 'created_by_me', 'assigned_to_me'])
/** In real installations, 0 or an empty list means nobody; Free stores only the first one. */
export const userIds = z.array(count).max(200)
export const name = z.string().min(1).max(255)
/** Descriptions, notes, pages. */
export const longText = z.string().max(1_048_576)
export const refName = z.string().min(1).max(255)
/** `custom_attributes[key]=value` in a query. */
export const customAttributes = z.record(z.string(), z.string())
/** An image, sent as multipart; the empty string removes it. */
export const avatar = z.union([z.file(), z.literal('')])
