// Parses the texts of settings; each function throws an Error whose message says what is expected.
import { isIP } from 'node:net'
import type { TokenKind } from '../../client/transport.ts'
import type { Mode } from '../../rules/types.ts'

export function httpUrl(text: string): string {
  const url = readUrl(text)
  if (url.search !== '' || url.hash !== '') throw new Error('an address without query and fragment')
  return text
}

/** May hold a secret in path or query. */
export function receiverUrl(text: string): string {
  if (text !== '') readUrl(text)
  return text
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Error('an http:// or https:// address')
  if (url.username !== '' || url.password !== '') throw new Error('an address without user name and password')
  return url
}

export function proxy(text: string): string {
  return text === '' || text === 'environment' ? text : proxyAddress(text)
}

export function proxyAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === ''
  if (!isPlain) throw new Error('http://[user:password@]host:port of a proxy, or https://…')
  return text
}

export function signingSecrets(text: string): string[] {
  const all = list(text)
  if (all.some((each) => !/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(each)))
    throw new Error('whsec_ and the key in base64')
  return all
}

/** At least 32 characters each: the secrets of hooks are derived from them. */
export function masterKeys(text: string): string[] {
  const all = list(text)
  if (all.some((each) => each.length < 32))
    throw new Error('keys of at least 32 characters (openssl rand -hex 32 makes one)')
  return all
}

export function list(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** Addresses and networks (`10.0.0.0/8`), separated by commas. */
export function networks(text: string): string[] {
  const all = list(text)
  if (!all.every(isNetwork)) throw new Error('IP addresses and networks such as 10.0.0.0/8, separated by commas')
  return all
}

/** Not /0: it would let every client name its own address. */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([0-9a-fA-F.:]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? []
  const version = isIP(address)
  return version !== 0 && Number(bits ?? 1) <= (version === 4 ? 32 : 128)
}

export function port(text: string): number {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw new Error('a port from 0 to 65535')
  return number
}

export function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error('a whole number from 1')
  return Number(text)
}

export function upTo999(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error('a whole number from 1 to 999')
  return Number(text)
}

export function percent(text: string): number {
  if (!/^([1-9]\d?|100)$/.test(text)) throw new Error('a whole number from 1 to 100')
  return Number(text)
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** In milliseconds. */
export function period(text: string): number {
  if (text === '0') return 0
  const [, number, unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? []
  const each = unitMs[unit]
  if (each === undefined) throw new Error('a duration such as 15m, 90s or 2h, or 0')
  return Number(number) * each
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new Error('a whole number from 0 to 99999')
  return Number(text)
}

export function mode(text: string): Mode {
  const found = (['act', 'observe', 'off'] as const).find((each) => each === text)
  if (found === undefined) throw new Error('act, observe or off')
  return found
}

export function tokenKind(text: string): TokenKind {
  if (text !== 'private' && text !== 'bearer') throw new Error('private or bearer')
  return text
}

export function metricsAccess(text: string): 'token' | 'open' {
  if (text !== 'token' && text !== 'open') throw new Error('token or open')
  return text
}

export function only(text: string): 'receiver' | 'worker' | undefined {
  const found = (['receiver', 'worker'] as const).find((each) => each === text)
  if (found === undefined && text !== '') throw new Error('receiver or worker')
  return found
}

export function logFormat(text: string): 'json' | 'pretty' | 'auto' {
  const found = (['json', 'pretty', 'auto'] as const).find((each) => each === text)
  if (found === undefined) throw new Error('json, pretty or auto')
  return found
}

export function logLevel(text: string): string {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  if (!levels.includes(text)) throw new Error(`one of ${levels.join(', ')}`)
  return text
}

export function notEmpty(text: string): string {
  if (text.trim() === '') throw new Error('a text')
  return text
}

/** Headers carry no other characters; a file's text ends with a line break. */
export function apiToken(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text.trim())) throw new Error('a token of printable characters without spaces')
  return text.trim()
}

export function trimmed(text: string): string {
  return text.trim()
}
