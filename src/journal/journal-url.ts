// The URL of a journal's database.
import { withoutCredentials } from '../queue/errors.ts'

export interface JournalUrl {
  /** Without the schema. */
  url: string
  schema: string
  /** For people: without credentials, and with a schema that is not the default. */
  shown: string
}

const DEFAULT_SCHEMA = 'bellhop'

/**
 * Reads `postgres://USER:PASSWORD@HOST/DATABASE`, with `?schema=NAME` for another schema than `bellhop`. Throws an Error
 * whose message says what is expected, and shows nothing of the text.
 */
export function readJournalUrl(text: string): JournalUrl {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new Error('postgres://USER:PASSWORD@HOST/DATABASE')
  const url = new URL(text)
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema) || schema.startsWith('pg_'))
    throw new Error('a schema of up to 41 lower-case letters, digits and _, beginning with a letter')
  url.searchParams.delete('schema')
  const shown = `${withoutCredentials(url.href)}${schema === DEFAULT_SCHEMA ? '' : `?schema=${schema}`}`
  return { url: url.href, schema, shown }
}
