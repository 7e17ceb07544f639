// The projects that have sent deliveries, one page at a time.
import * as z from 'zod'
import type { AdminContext } from '../admin-context.ts'
import { integer, wholeNumber } from './inputs.ts'

/** A small page: several things are read for each project. */
export const projectsPage = {
  limit: wholeNumber(1, 100).default(20),
  after: integer.optional().describe('`next` of the previous page.'),
}

/** Sorted by id, highest first. */
export async function listKnownProjects(
  { journal, service }: Pick<AdminContext, 'journal' | 'service'>,
  { limit, after = Number.POSITIVE_INFINITY }: { limit: number; after?: number | undefined },
): Promise<{ projects: number[]; next: { next?: string } }> {
  const all = (await journal.knownProjects(service)).reverse().filter((project) => project < after)
  const projects = all.slice(0, limit)
  const last = projects.at(-1)
  return { projects, next: all.length > projects.length && last !== undefined ? { next: String(last) } : {} }
}

export const nextPage = z.string().optional().describe('Pass it as `after` for the next page; absent on the last page.')
