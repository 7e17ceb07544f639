// Reads the URL of a Redis: one server, or a master that Sentinels know.
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
      /** The credentials of Redis itself. */
      credentials: Credentials
      sentinelCredentials: Credentials
      tls: boolean
      shown: string
    }

const SENTINEL_PORT = 26_379

const EXPECTED = {
  server: 'redis://[user:password@]host:6379[/db], or rediss:// for TLS',
  sentinel: 'redis+sentinel://[user:password@]host:26379,host:26379/MASTER_NAME[/db], or rediss+sentinel:// for TLS',
}

/** True for every URL that `readRedisUrl` is for, also a wrong one. */
export function isRedisUrl(url: string): boolean {
  return /^rediss?(\+sentinel)?:\/\//.test(url)
}

/** Throws an Error whose message is what is expected, never what was given. */
export function readRedisUrl(url: string): RedisTarget {
  return /^rediss?\+sentinel:/.test(url) ? sentinelTarget(url) : serverTarget(url)
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

/** Not by `URL`, which knows one host only. */
function sentinelTarget(url: string): RedisTarget {
  const found = /^(rediss?)\+sentinel:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([^/?#]+)(?:\/(\d{1,5}))?\/?(?:\?([^#]*))?$/.exec(
    url,
  )
  if (found === null) throw wrong('sentinel')
  const [, scheme, userInfo = '', hosts = '', encodedName = '', db = '0', queryText = ''] = found
  const colon = userInfo.indexOf(':')
  const username = decoded(colon === -1 ? userInfo : userInfo.slice(0, colon))
  const password = decoded(colon === -1 ? '' : userInfo.slice(colon + 1))
  const name = decoded(encodedName)
  const sentinels = hosts.split(',').map((host) => address(host))
  const query = readQuery(queryText)
  const allowed = ['sentinelUsername', 'sentinelPassword']
  if (username === undefined || password === undefined || name === undefined) throw wrong('sentinel')
  if (!sentinels.every((each) => each !== undefined)) throw wrong('sentinel')
  if (query === undefined || [...query.keys()].some((key) => !allowed.includes(key))) throw wrong('sentinel')
  const shown = sentinels.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
  return {
    kind: 'sentinel',
    sentinels,
    name,
    db: Number(db),
    credentials: present(username, password),
    sentinelCredentials: present(query.get('sentinelUsername') ?? '', query.get('sentinelPassword') ?? ''),
    tls: scheme === 'rediss',
    shown: `${scheme}+sentinel://${shown.join(',')}/${encodedName}`,
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

function address(text: string): Address | undefined {
  const [, inBrackets, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = inBrackets ?? plain
  const number = Number(port ?? SENTINEL_PORT)
  return host === undefined || number < 1 || number > 65_535 ? undefined : { host, port: number }
}

function present(username: string, password: string): Credentials {
  return { username: username || undefined, password: password || undefined }
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
