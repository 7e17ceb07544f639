// The projects that deliveries have come from, a page at a time.
import * as z from 'zod'
import type { Desk } from './desk.ts'
import { integer, whole } from './inputs.ts'

/** Of each, several things are read. */
export const projectsPage = {
  limit: whole(1, 100).default(20),
  after: integer.optional().describe('The `next` of the page before.'),
}

/** By their ids, the newest first. */
export async function knownAfter(
  { journal, service }: Pick<Desk, 'journal' | 'service'>,
  { limit, after = Number.POSITIVE_INFINITY }: { limit: number; after?: number | undefined },
): Promise<{ projects: number[]; next: { next?: string } }> {
  const all = (await journal.knownProjects(service)).reverse().filter((project) => project < after)
  const projects = all.slice(0, limit)
  const last = projects.at(-1)
  return { projects, next: all.length > projects.length && last !== undefined ? { next: String(last) } : {} }
}

export const nextPage = z.string().optional().describe('Give it back as `after` to read on; absent at the end.')
