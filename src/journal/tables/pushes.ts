// Pushes: who pushed what to a branch, each push once.
import { MOST_PUSHES } from '../../rules/facts/definition/push-history.ts'
import type { Memory } from '../../rules/types.ts'
import { type Database, keyText, valueIn } from '../database/database.ts'

export interface BranchRef {
  project: number
  branch: string
}

/** `from` null: the branch's first push. */
export type StoredPush = Memory['pushes'][number]

export function pushesTable({ schema, query }: Database) {
  return {
    /** The last hundred, oldest first. */
    async list({ project, branch }: BranchRef): Promise<StoredPush[]> {
      const text = `SELECT ${lastPushes(schema, '$1::bigint', '$2::text')} AS value`
      return (await valueIn(query, text, [project, keyText(branch)])) ?? []
    },
    /** Adds what push events tell, oldest first, each push once. */
    async add({ project, branch }: BranchRef, pushes: readonly StoredPush[]): Promise<void> {
      const keys = pushes.map(({ from, to, at }) => keyText(`event ${at ?? ''} ${from ?? ''} ${to}`))
      await query(
        `INSERT INTO ${schema}.pushes (project, branch, delivery, push)
         SELECT $1, $2, delivery, push FROM unnest($3::text[], $4::json[]) WITH ORDINALITY AS given (delivery, push, n)
         ORDER BY n ON CONFLICT DO NOTHING`,
        [project, keyText(branch), keys, pushes.map((push) => JSON.stringify(push))],
      )
    },
  }
}

/** An expression: the last hundred pushes to a branch as JSON, oldest first; null if there are none. */
export const lastPushes = (schema: string, project: string, branch: string): string =>
  `(SELECT json_agg(push ORDER BY seq) FROM (
     SELECT seq, push FROM ${schema}.pushes AS pushes WHERE pushes.project = ${project} AND pushes.branch = ${branch}
     ORDER BY seq DESC LIMIT ${MOST_PUSHES}) AS last)`

/** Stores a push, once per delivery, in place of the oldest. */
export function addPush(schema: string, { project, branch, ...push }: BranchRef & StoredPush, deliveryId: string) {
  const table = `${schema}.pushes`
  const key = [project, keyText(branch)]
  return [
    {
      text: `DELETE FROM ${table} WHERE project = $1 AND branch = $2 AND seq <= (
        SELECT seq FROM ${table} WHERE project = $1 AND branch = $2 ORDER BY seq DESC OFFSET ${MOST_PUSHES} LIMIT 1)`,
      values: key,
    },
    {
      text: `INSERT INTO ${table} (project, branch, delivery, push) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      values: [...key, keyText(deliveryId), JSON.stringify(push)],
    },
  ]
}
