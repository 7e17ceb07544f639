// One setting: its variable and flag, its documentation, and how its text is parsed.

import { isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'
import { either } from '../../rules/language/values/wording.ts'

export interface Setting<T> {
  variable: string
  flag: string
  doc: string
  /** When to set it, for docs/configuration.md. */
  setWhen: string
  /** Shown by --help. */
  example?: string
  /** Undefined: required. */
  default?: string
  secret?: boolean
  /** Parses the text; throws an Error whose message says what is expected. */
  read: (text: string) => T
}

/** What a parser expected, by the error that it threw: `expected a port`. */
export function expectation(error: unknown): string {
  return `expected ${error instanceof Error ? error.message : 'another value'}`
}

type Described<T> = Omit<Setting<T>, 'variable' | 'flag' | 'read'> & { flag?: string }

/** The flag is derived from the variable unless given; the default is '' unless given. */
export function setting<T>(variable: string, read: (text: string) => T, described: Described<T>): Setting<T> {
  const flag = `--${variable.slice('BELLHOP_'.length).toLowerCase().replaceAll('_', '-')}`
  return { variable, flag, default: '', read, ...described }
}

/** Commander's parser for `read`, which throws an Error whose message says what is expected. */
export function argument<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text)
    } catch (error) {
      throw new InvalidArgumentError(expectation(error))
    }
  }
}

export function httpUrl(text: string): string {
  const url = readUrl(text)
  if (url.search !== '' || url.hash !== '') throw new Error('an address without query and fragment')
  return text
}

export const optionalHttpUrl = (text: string) => (text === '' ? text : httpUrl(text))

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

/** A whole number within bounds, written without leading zeros. */
/** Reads a whole number within these limits; throws what is expected. */
export function whole(least: number, most: number, expected = `a whole number from ${least} to ${most}`) {
  return (text: string): number => {
    const number = Number(text)
    if (!/^(0|[1-9]\d*)$/.test(text) || number < least || number > most) throw new Error(expected)
    return number
  }
}

export const port = whole(0, 65_535, 'a port from 0 to 65535')
export const positive = whole(1, 999_999_999, 'a whole number from 1')
export const upTo999 = whole(1, 999)
export const percent = whole(1, 100)
export const upTo100 = whole(0, 100)
export const wholeNumber = whole(0, 99_999)

export const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In milliseconds. */
export function period(text: string): number {
  if (text === '0') return 0
  const [, number, unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? []
  const each = unitMs[unit]
  if (each === undefined) throw new Error('a duration such as 15m, 90s or 2h, or 0')
  return Number(number) * each
}

function oneOf<const T extends string>(...values: T[]) {
  return (text: string): T => {
    const found = values.find((each) => each === text)
    if (found === undefined) throw new Error(either(values))
    return found
  }
}

export const mode = oneOf('act', 'observe', 'off')
export const tokenKind = oneOf('private', 'bearer')
export const metricsAccess = oneOf('token', 'open')
export const logFormat = oneOf('json', 'pretty', 'auto')
export const logLevel = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal')
const kindOfProcess = oneOf('receiver', 'worker')
export const only = (text: string) => (text === '' ? undefined : kindOfProcess(text))

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
