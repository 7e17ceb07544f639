// Projects: where they are, and whether deliveries are about them.
import type { Database } from '../database/database.ts'
import { keyText } from '../database/key-text.ts'

export interface ProjectsTable {
  /** The id of the project that has, or had, this full path. */
  at(path: string): Promise<number | undefined>
  /** Those about whose merge requests a stored delivery was, in order. */
  known(): Promise<number[]>
  /** Until the next delivery about it. */
  forget(project: number): Promise<void>
}

export function projectsTable({ schema, query }: Database): ProjectsTable {
  const table = `${schema}.projects`
  return {
    async at(path) {
      const [found] = await query<{ project: string }>(
        `SELECT project FROM ${table} WHERE paths @> ARRAY[$1::text] ORDER BY paths[1] = $1 DESC, project DESC LIMIT 1`,
        [keyText(path.toLowerCase())],
      )
      return found === undefined ? undefined : Number(found.project)
    },
    async known() {
      const found = await query<{ project: string }>(
        `SELECT project FROM ${table} WHERE known_at IS NOT NULL ORDER BY project`,
      )
      return found.map(({ project }) => Number(project))
    },
    forget: async (project) => void (await query(`UPDATE ${table} SET known_at = NULL WHERE project = $1`, [project])),
  }
}
