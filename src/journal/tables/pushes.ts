// Pushes: who pushed what to a branch, each push once.
import type { Actor } from '../../rules/types.ts'
import type { Database } from '../database/database.ts'
import { keyText } from '../database/key-text.ts'
import { touched } from '../database/touched.ts'

export interface BranchRef {
  project: number
  branch: string
}

/** `from` null: the branch's first push. */
export interface StoredPush {
  from: string | null
  to: string
  by: Actor
}

export interface PushesTable {
  /** Stores a push, once per delivery. */
  add(branch: BranchRef, push: StoredPush, deliveryId: string): Promise<void>
  /** The last hundred, oldest first. */
  list(branch: BranchRef): Promise<StoredPush[]>
}

const MOST = 100

export function pushesTable({ schema, query }: Database): PushesTable {
  const table = `${schema}.pushes`
  return {
    async add({ project, branch }, push, deliveryId) {
      await query(
        `WITH old AS (
           DELETE FROM ${table} WHERE project = $1 AND branch = $2 AND seq <= (
             SELECT seq FROM ${table} WHERE project = $1 AND branch = $2 ORDER BY seq DESC OFFSET ${MOST} LIMIT 1))
         INSERT INTO ${table} (project, branch, delivery, push) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        [project, keyText(branch), keyText(deliveryId), JSON.stringify(push)],
      )
    },
    async list({ project, branch }) {
      const found = await query<{ push: StoredPush }>(
        `WITH read AS (${touched(table, 'project = $1 AND branch = $2')})
         SELECT push FROM ${table} WHERE project = $1 AND branch = $2 ORDER BY seq DESC LIMIT ${MOST}`,
        [project, keyText(branch)],
      )
      return found.map(({ push }) => push).reverse()
    },
  }
}
