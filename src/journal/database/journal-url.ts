// The URL of a journal: `embedded:DIR`, or a database in PostgreSQL.
import { withoutCredentials } from '../../queue/errors.ts'

interface JournalUrl {
  /** Without the schema; a socket's folder is the host. */
  url: string
  /** The schema as statements name it. */
  schema: string
  /** For people: without credentials, and with a schema that is not the default. */
  shown: string
}

const DEFAULT_SCHEMA = 'bellhop'
const FORM = 'postgres://USER:PASSWORD@HOST/DATABASE'
const ENCODED = `${FORM}, with every / ? # @ and % of user and password percent-encoded (/ as %2F)`
const ONE_HOST = 'one address: after a failover, a proxy or a DNS name leads to the new primary'

/** The journal next to a queue in Redis, if BELLHOP_JOURNAL_URL is not set. */
export const DEFAULT_JOURNAL_URL = 'embedded:.bellhop'

/** The directory of an embedded journal; undefined for a database in PostgreSQL. */
export const journalDirectory = (url: string): string | undefined => /^embedded:(.+)$/s.exec(url)?.[1]

/**
 * Reads `postgres://USER:PASSWORD@HOST/DATABASE`, with `?schema=NAME` for another schema than `bellhop`, and with
 * `?host=/FOLDER` for a socket, as node-postgres does. Throws an Error whose message says what is expected, and shows
 * nothing of the text.
 */
export function readJournalUrl(text: string): JournalUrl {
  const url = parse(text)
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema) || schema.startsWith('pg_'))
    throw new Error('a schema of up to 41 lower-case letters, digits and _, beginning with a letter')
  url.searchParams.delete('schema')
  const isDefault = schema === DEFAULT_SCHEMA
  const shown = `${withoutCredentials(url.href)}${isDefault ? '' : `?schema=${schema}`}`
  // Quoted, a word of SQL is a name too.
  return { url: url.href, schema: isDefault ? schema : `"${schema}"`, shown }
}

/** Moves a host and a port that the query names to their places. */
function parse(text: string): URL {
  const [, authority, rest] = /^postgres(?:ql)?:\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  if (authority === undefined || rest === undefined) throw new Error(`embedded:DIR, or ${FORM}`)
  // An unencoded / in the password was taken for the beginning of the path.
  if (rest.includes('@')) throw new Error(ENCODED)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (host.includes(',')) throw new Error(ONE_HOST)
  const complete = `postgres://${authority}${host === '' ? 'localhost' : ''}${rest}`
  if (!URL.canParse(complete)) throw new Error(FORM)
  const url = new URL(complete)
  const { host: otherHost, port } = Object.fromEntries(url.searchParams)
  if (`${otherHost},${port}`.split(',').length > 2) throw new Error(ONE_HOST)
  if (host === '' && !otherHost) throw new Error(FORM)
  if (otherHost) url.hostname = encodeURIComponent(otherHost)
  if (port) url.port = port
  for (const name of ['host', 'port']) url.searchParams.delete(name)
  if (!/^\/[^/]+$/.test(url.pathname)) throw new Error(FORM)
  if (![url.username, url.password, url.pathname].every(isPercentEncoded)) throw new Error(ENCODED)
  return url
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
