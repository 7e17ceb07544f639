// Lists of the projects that have sent deliveries, one page at a time.
import * as z from 'zod'
import type { AdminContext } from '../admin-context.ts'
import { integer, wholeNumber } from './inputs.ts'
import { type AdminRoute, ok, route } from './route.ts'

/** A small page: several things are read for each project. */
const projectsPage = z.strictObject({
  limit: wholeNumber(1, 100).default(20),
  after: integer.optional().describe('`next` of the previous page.'),
})
const concurrency = 4

export const nextPage = z.string().optional().describe('Pass it as `after` for the next page; absent on the last page.')

interface ProjectList<T extends z.ZodType> extends Pick<AdminRoute, 'name' | 'path' | 'doc'> {
  item: T
  /** Undefined: the project is left out. */
  read: (context: AdminContext, project: number) => Promise<z.output<T> | undefined>
}

/** A route with an item for each project, by id, the highest first. */
export function projectList<T extends z.ZodType>({ item, read, ...declared }: ProjectList<T>): AdminRoute {
  return route({
    ...declared,
    input: projectsPage,
    responses: { 200: z.object({ items: z.array(item), next: nextPage }) },
    async handle({ input: { limit, after = Number.POSITIVE_INFINITY } }, context) {
      const known = await context.journal.projects.known()
      const all = known.reverse().filter((project) => project < after)
      const projects = all.slice(0, limit)
      const items: z.output<T>[] = []
      for (let from = 0; from < projects.length; from += concurrency) {
        const some = projects.slice(from, from + concurrency).map((each) => read(context, each))
        items.push(...(await Promise.all(some)).filter((each) => each !== undefined))
      }
      return ok({ items, next: all.length > limit ? String(projects.at(-1)) : undefined })
    },
  })
}
