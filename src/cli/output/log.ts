// The log: JSON lines on standard error, with secrets redacted by key and by value; and the same for people.

import pc from 'picocolors'
import { type Logger, levels, pino } from 'pino'
import { plain } from './terminal-text.ts'

const secretKeys = [
  'token',
  'secret',
  'password',
  'authorization',
  'private-token',
  'x-gitlab-token',
  'adminToken',
  'serviceToken',
  'hookSecret',
]
// Lines with such a key are rare: pino's paths with wildcards take as long for every line as all else that is done.
const secretKey = new RegExp(`"(?:${secretKeys.join('|')})":`, 'i')
const isSecret = new Set(secretKeys.map((key) => key.toLowerCase()))

/** The line with the values of secret keys redacted, at any depth and of any type. */
function withoutSecretKeys(line: string): string {
  if (!secretKey.test(line)) return line
  const redacted = JSON.parse(line, (key, value) => (isSecret.has(key.toLowerCase()) ? '[redacted]' : value)) as unknown
  return `${JSON.stringify(redacted)}\n`
}

// Shorter texts occur in ordinary words.
const shortestSecret = 4

interface LogOptions {
  level: string
  /** Redacted anywhere in a line. */
  secrets: readonly string[]
  /** Later secrets, read for each line; the list only grows. */
  laterSecrets?: () => readonly string[]
  /** Gets whole lines; standard error by default. */
  write?: (line: string) => void
}

export function createLog({ level, secrets, laterSecrets = () => [], write = toStandardError }: LogOptions): Logger {
  let known: { later: number; spelled: string[] } | undefined
  const spelled = () => {
    const later = laterSecrets()
    if (known?.later !== later.length)
      // Longest first: a secret may start with another.
      known = {
        later: later.length,
        spelled: [...secrets, ...later].flatMap(spellings).sort((a, b) => b.length - a.length),
      }
    return known.spelled
  }
  const stream = {
    write(line: string) {
      write(spelled().reduce((text, secret) => text.replaceAll(secret, '[redacted]'), withoutSecretKeys(line)))
    },
  }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream)
}

/** Shared by all logs, so that their lines keep one order. */
const toStandardError = onePerTurn()

/** One write per turn of the event loop: writes to standard error are synchronous. */
function onePerTurn(): (line: string) => void {
  let lines = ''
  const flush = () => {
    if (lines !== '') process.stderr.write(lines)
    lines = ''
  }
  process.once('exit', flush)
  return (line) => {
    if (lines === '') setImmediate(flush)
    lines += line
  }
}

function spellings(secret: string): string[] {
  return secret.length < shortestSecret
    ? []
    : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString())]
}

/** Time, level, message, then name=value; text from outside cannot control the terminal. */
export function prettyLine(isColoured: boolean): (line: string) => string {
  const colours = pc.createColors(isColoured)
  return (line) => {
    const { time, level, msg, event, err, ...rest } = JSON.parse(line) as Record<string, unknown>
    const number = Number(level)
    const name = (levels.labels[number] ?? String(level)).padEnd(5)
    const paint = number >= 50 ? colours.red : number === 40 ? colours.yellow : colours.green
    const values = Object.entries(rest)
      .filter(([, value]) => !isEmpty(value))
      .map(([key, value]) => `${colours.dim(`${plain(key)}=`)}${valueText(value)}`)
    const what = typeof msg === 'string' && msg !== '' ? msg : event
    const head = [
      colours.dim(String(time).slice(11, 23)),
      paint(number >= 40 ? name.toUpperCase() : name),
      plain(String(what ?? '')),
      ...values,
    ].join(' ')
    return `${head}${errorLines(err)
      .map((each) => `\n    ${plain(each)}`)
      .join('')}\n`
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return plain(/[\s"=,]/.test(value) ? JSON.stringify(value) : value)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number'))
    return value.map(valueText).join(',')
  return plain(JSON.stringify(value))
}

function errorLines(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return []
  const { stack, message } = err as { stack?: unknown; message?: unknown }
  return String(stack ?? message ?? '').split('\n')
}
