// Projects: where they are, and whether deliveries are about them.
import { type Database, keyText, valueIn } from '../database/database.ts'

export function projectsTable({ schema, query }: Database) {
  const table = `${schema}.projects`
  return {
    /** The id of the project that has, or had, this full path. */
    async at(path: string): Promise<number | undefined> {
      const text = `SELECT project AS value FROM ${table} WHERE paths @> ARRAY[$1::text]
        ORDER BY paths[1] = $1 DESC, project DESC LIMIT 1`
      const project = await valueIn<string>(query, text, [keyText(path.toLowerCase())])
      return project === undefined ? undefined : Number(project)
    },
    /** Those about whose merge requests a stored delivery was, in order. */
    async known(): Promise<number[]> {
      const found = await query<{ project: string }>(
        `SELECT project FROM ${table} WHERE known_at IS NOT NULL ORDER BY project`,
      )
      return found.map(({ project }) => Number(project))
    },
    /** Until the next delivery about it. */
    async forget(project: number): Promise<void> {
      await query(`UPDATE ${table} SET known_at = NULL WHERE project = $1`, [project])
    },
  }
}
