// Marks: small JSON values about a project, or (project 0) about the whole service.
import { type Database, keyText, valueIn } from '../database/database.ts'
import { DAY_MS } from '../days.ts'

/** In place of a project, for marks of the whole service: project ids begin at 1. */
export const wholeService = 0

const KEPT_MS = 400 * DAY_MS

export function marksTable({ schema, query }: Database) {
  const table = `${schema}.marks`
  const until = (keepMs: number) => new Date(Date.now() + keepMs).toISOString()

  function textOf(project: number, mark: string): Promise<string | undefined> {
    const text = `SELECT value::text AS value FROM ${table} WHERE project = $1 AND mark = $2 AND expires_at > $3`
    return valueIn(query, text, [project, keyText(mark), until(0)])
  }

  return {
    /** Undefined if it is missing or has expired. */
    async read<T>(project: number, mark: string): Promise<T | undefined> {
      const text = await textOf(project, mark)
      return text === undefined ? undefined : (JSON.parse(text) as T)
    },
    /** `keepMs`: 400 days if absent. */
    async write(project: number, mark: string, value: unknown, keepMs = KEPT_MS): Promise<void> {
      await query(
        `INSERT INTO ${table} (project, mark, value, expires_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (project, mark) DO UPDATE SET value = EXCLUDED.value, expires_at = EXCLUDED.expires_at`,
        [project, keyText(mark), JSON.stringify(value), until(keepMs)],
      )
    },
    /** Atomic: `to` may run again on a conflict; undefined leaves it as it is. */
    change<T>(
      project: number,
      mark: string,
      to: (before: T | undefined) => T | undefined,
      keepMs = KEPT_MS,
    ): Promise<void> {
      const swap = async (from: string | undefined, value: string) => {
        const key = [project, keyText(mark), value, until(keepMs)]
        const rows =
          from === undefined
            ? await query(
                `INSERT INTO ${table} AS present (project, mark, value, expires_at) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (project, mark) DO UPDATE SET value = EXCLUDED.value, expires_at = EXCLUDED.expires_at
                 WHERE present.expires_at <= $5 RETURNING 1`,
                [...key, until(0)],
              )
            : await query(
                `UPDATE ${table} SET value = $3, expires_at = $4
                 WHERE project = $1 AND mark = $2 AND value::text = $5 RETURNING 1`,
                [...key, from],
              )
        return rows.length === 1
      }
      return change(() => textOf(project, mark), swap, to)
    },
  }
}

/**
 * Atomic: `to` may run again on a conflict. Undefined, and an equal value, leave it as it is. `read` returns the JSON text
 * of the present value, if there is one; `swap` stores another if it is still that, and returns false if it is not.
 */
export async function change<T>(
  read: () => Promise<string | undefined>,
  swap: (from: string | undefined, to: string) => Promise<boolean>,
  to: (before: T | undefined) => T | undefined,
): Promise<void> {
  for (;;) {
    const from = await read()
    const value = to(from === undefined ? undefined : (JSON.parse(from) as T))
    const text = value === undefined ? undefined : JSON.stringify(value)
    if (text === undefined || text === from || (await swap(from, text))) return
  }
}
