// Lets a server plan each statement once for a connection: to plan one of many steps takes longer than to run it.
import { createHash } from 'node:crypto'
import type { SqlPool } from '../../queue/types.ts'

/** The flow has fewer; what an admin's filters make beyond that is planned each time. */
const MOST_STATEMENTS = 100

/** The pool of a server whose statements with values are prepared statements. */
export function preparing(pool: SqlPool): SqlPool {
  const names = new Map<string, string>()
  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST_STATEMENTS) return known
    const name = createHash('sha1').update(text).digest('hex')
    names.set(text, name)
    return name
  }
  const prepared =
    (client: Pick<SqlPool, 'query'>): SqlPool['query'] =>
    (text, values) => {
      const name = values && nameOf(text)
      // node-postgres takes the name with the statement, which SqlPool does not declare.
      return name === undefined ? client.query(text, values) : client.query({ name, text, values } as never)
    }
  return {
    query: prepared(pool),
    async connect() {
      const client = await pool.connect()
      return { query: prepared(client), release: (closes) => client.release(closes) }
    },
    end: () => pool.end(),
  }
}
