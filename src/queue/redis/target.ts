// Reads the URL of a Redis: one server, a master that Sentinels know, or a cluster.
interface Address {
  host: string
  port: number
}

interface Credentials {
  username?: string
  password?: string
}

/** Where Redis is, and as whom to connect. `shown` is the URL without credentials and query, for messages. */
export type RedisTarget =
  | { kind: 'server'; url: string; shown: string }
  | {
      kind: 'sentinel'
      sentinels: Address[]
      /** What the Sentinels call the master. */
      name: string
      db: number
      /** Of Redis itself. */
      credentials: Credentials
      sentinelCredentials: Credentials
      tls: boolean
      shown: string
    }
  | { kind: 'cluster'; nodes: Address[]; credentials: Credentials; tls: boolean; shown: string }

const SENTINEL_PORT = 26_379
const REDIS_PORT = 6_379

const EXPECTED = {
  server: 'redis://[user:password@]host:6379[/db], or rediss:// for TLS',
  sentinel: 'redis+sentinel://[user:password@]host:26379,host:26379/MASTER_NAME[/db], or rediss+sentinel:// for TLS',
  cluster: 'redis+cluster://[user:password@]host:6379,host:6379, or rediss+cluster:// for TLS',
}

/** True for every URL that `readRedisUrl` is for, also a wrong one. */
export function isRedisUrl(url: string): boolean {
  return /^rediss?(\+(sentinel|cluster))?:\/\//.test(url)
}

/** Throws an Error whose message is what is expected, never what was given. */
export function readRedisUrl(url: string): RedisTarget {
  const [, scheme = '', kind = 'server'] = /^(rediss?)(?:\+(sentinel|cluster))?:\/\//.exec(url) ?? []
  const tls = scheme === 'rediss'
  switch (kind) {
    case 'sentinel':
      return sentinelTarget(url, tls)
    case 'cluster':
      return clusterTarget(url, tls)
    default:
      return serverTarget(url)
  }
}

/** The passwords in the URL, as they stand there and decoded; for the log, which must not show them. */
export function redisPasswords(url: string): string[] {
  if (!isRedisUrl(url)) return []
  const [, userInfo = '', rest = ''] = /^[^:]+:\/\/(?:([^@/?#]*)@)?(.*)$/s.exec(url) ?? []
  const password = userInfo.includes(':') ? userInfo.slice(userInfo.indexOf(':') + 1) : ''
  const inQuery = [...rest.matchAll(/[?&](?:sentinelP|p)assword=([^&#]*)/g)].map(([, value = '']) => value)
  return [password, ...inQuery].flatMap((each) => [each, decoded(each) ?? each]).filter((each) => each !== '')
}

function serverTarget(url: string): RedisTarget {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || parsed.hostname === '' || !/^(\/\d{0,5})?$/.test(parsed.pathname)) throw wrong('server')
  if (decoded(parsed.username) === undefined || decoded(parsed.password) === undefined) throw wrong('server')
  return { kind: 'server', url, shown: `${parsed.protocol}//${parsed.host}${parsed.pathname.replace(/^\/$/, '')}` }
}

function sentinelTarget(url: string, tls: boolean): RedisTarget {
  const { credentials, addresses, path, query } = parts('sentinel', url, SENTINEL_PORT)
  const [, encodedName = '', db = '0'] = /^\/([^/]+)(?:\/(\d{1,5}))?\/?$/.exec(path) ?? []
  const name = decoded(encodedName)
  const allowed = ['sentinelUsername', 'sentinelPassword']
  if (name === undefined || name === '' || [...query.keys()].some((key) => !allowed.includes(key)))
    throw wrong('sentinel')
  return {
    kind: 'sentinel',
    sentinels: addresses,
    name,
    db: Number(db),
    credentials,
    sentinelCredentials: present(query.get('sentinelUsername') ?? '', query.get('sentinelPassword') ?? ''),
    tls,
    shown: `${tls ? 'rediss' : 'redis'}+sentinel://${shownAddresses(addresses)}/${encodedName}`,
  }
}

function clusterTarget(url: string, tls: boolean): RedisTarget {
  const { credentials, addresses, path, query } = parts('cluster', url, REDIS_PORT)
  // A cluster has database 0 only.
  if (!/^\/?0?$/.test(path) || query.size > 0) throw wrong('cluster')
  return {
    kind: 'cluster',
    nodes: addresses,
    credentials,
    tls,
    shown: `${tls ? 'rediss' : 'redis'}+cluster://${shownAddresses(addresses)}`,
  }
}

/** Not by `URL`, which knows one host only. */
function parts(kind: 'sentinel' | 'cluster', url: string, defaultPort: number) {
  const found = /^[^:]+:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url)
  if (found === null) throw wrong(kind)
  const [, userInfo = '', hosts = '', path = '', query = ''] = found
  const colon = userInfo.indexOf(':')
  const username = decoded(colon === -1 ? userInfo : userInfo.slice(0, colon))
  const password = decoded(colon === -1 ? '' : userInfo.slice(colon + 1))
  const addresses = hosts.split(',').map((host) => address(host, defaultPort))
  if (username === undefined || password === undefined) throw wrong(kind)
  return {
    credentials: present(username, password),
    addresses: addresses.map((each) => each ?? thrown(wrong(kind))),
    path,
    query: readQuery(query) ?? thrown(wrong(kind)),
  }
}

/** Decoded as what stands before the "@": URLSearchParams reads "+" as a space, and accepts a bare "%". */
function readQuery(text: string): Map<string, string> | undefined {
  const query = new Map<string, string>()
  for (const part of text === '' ? [] : text.split('&')) {
    const [, key = '', encoded = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? []
    const value = decoded(encoded)
    if (value === undefined) return undefined
    query.set(key, value)
  }
  return query
}

function address(text: string, defaultPort: number): Address | undefined {
  const [, inBrackets, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = inBrackets ?? plain
  const number = Number(port ?? defaultPort)
  return host === undefined || number < 1 || number > 65_535 ? undefined : { host, port: number }
}

function shownAddresses(addresses: Address[]): string {
  return addresses.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',')
}

function present(username: string, password: string): Credentials {
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function wrong(kind: keyof typeof EXPECTED): Error {
  return new Error(
    `${EXPECTED[kind]} ("@", "/", "?", "#", "%", "&" and "+" in a password are %40, %2F, %3F, %23, %25, %26 and %2B)`,
  )
}

function thrown(error: Error): never {
  throw error
}
