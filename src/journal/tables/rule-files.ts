// Rule files: each file of a repository as last read.
import { type Database, keyText, valueIn } from '../database/database.ts'
import type { RuleFileRecord } from '../types.ts'

export interface StoredRuleFiles {
  /** The repository's own file, and those that it includes. */
  files: RuleFileRecord[]
  /** Files of the project that other projects include; of more than 1,000, some. */
  includedBy: { project: number; path: string }[]
}

const MOST_INCLUDERS = 1_000

export function ruleFilesTable({ schema, query, transaction }: Database) {
  const table = `${schema}.rule_files`
  return {
    /** All of a project. */
    async of(project: number): Promise<StoredRuleFiles> {
      const [found] = await query<RuleFilesRow>(`SELECT ${ruleFileColumns(schema, '$1::bigint')}`, [project])
      return storedRuleFiles(found)
    },
    find: ({ project, path }: Pick<RuleFileRecord, 'project' | 'path'>): Promise<RuleFileRecord | undefined> =>
      valueIn(query, `SELECT record AS value FROM ${table} WHERE project = $1 AND path = $2`, [project, keyText(path)]),
    /** Stores all files of a project, in place of the former ones, and its name. */
    async save(project: number, files: readonly RuleFileRecord[]): Promise<void> {
      await transaction(async (run) => {
        await run(`DELETE FROM ${table} WHERE project = $1 AND path <> ALL($2)`, [
          project,
          files.map(({ path }) => keyText(path)),
        ])
        for (const file of files) {
          const { origin, good } = file
          await run(
            `INSERT INTO ${table} (project, path, record, origin_project) VALUES ($1, $2, $3, $4)
             ON CONFLICT (project, path) DO UPDATE
             SET record = EXCLUDED.record, origin_project = EXCLUDED.origin_project, read_at = now()`,
            // Naming another project's file must not make it a rule file.
            [project, keyText(file.path), JSON.stringify(file), good === null ? null : (origin?.project ?? null)],
          )
          const { projectPath: path = '', projectUrl: url = '' } = file
          if (path !== '')
            await run(
              `INSERT INTO ${schema}.projects AS present (project, name, paths) VALUES ($1, $2, ARRAY[$3::text])
               ON CONFLICT (project) DO UPDATE
               SET name = EXCLUDED.name, paths = EXCLUDED.paths || array_remove(present.paths, EXCLUDED.paths[1])`,
              [project, JSON.stringify({ path, url }), keyText(path.toLowerCase())],
            )
        }
      })
    },
  }
}

export interface RuleFilesRow {
  files: RuleFileRecord[] | null
  included: StoredRuleFiles['includedBy'] | null
}

/** The columns of a RuleFilesRow. `project` is an expression. */
export const ruleFileColumns = (schema: string, project: string): string =>
  `(SELECT json_agg(record) FROM ${schema}.rule_files AS files WHERE files.project = ${project}) AS files, (
     SELECT json_agg(json_build_object('project', includers.project, 'path', includers.record->'origin'->'path'))
     FROM (
       SELECT project, record FROM ${schema}.rule_files WHERE origin_project = ${project}
       ORDER BY project, path LIMIT ${MOST_INCLUDERS}
     ) AS includers) AS included`

export const storedRuleFiles = (found: RuleFilesRow | undefined): StoredRuleFiles => ({
  files: found?.files ?? [],
  includedBy: found?.included ?? [],
})
