// Lists of the projects that have sent deliveries, one page at a time.
import pLimit from 'p-limit'
import * as z from 'zod'
import type { AdminContext } from '../admin-context.ts'
import { integer, wholeNumber } from './inputs.ts'
import { nextPage } from './response-schemas.ts'
import { getRoute, ok } from './route.ts'

/** A small page: several things are read for each project. */
const projectsPage = z.strictObject({
  limit: wholeNumber(1, 100).default(20),
  after: integer.optional().describe('`next` of the previous page.'),
})

interface ProjectList<T extends z.ZodType> {
  doc: string
  item: T
  /** Undefined: the project is left out. */
  read: (context: AdminContext, project: number) => Promise<z.output<T> | undefined>
}

/** A route with an item for each project, by id, the highest first. */
export const projectList = <T extends z.ZodType>(name: string, path: string, { doc, item, read }: ProjectList<T>) =>
  getRoute(name, path, {
    doc,
    input: projectsPage,
    responses: { 200: z.object({ items: z.array(item), next: nextPage }) },
    async handle({ input: { limit, after = Number.POSITIVE_INFINITY } }, context) {
      const known = await context.journal.projects.known()
      const all = known.reverse().filter((project) => project < after)
      const projects = all.slice(0, limit)
      const found = await pLimit(4).map(projects, (each) => read(context, each))
      const items = found.filter((each) => each !== undefined)
      return ok({ items, next: all.length > limit ? String(projects.at(-1)) : undefined })
    },
  })
