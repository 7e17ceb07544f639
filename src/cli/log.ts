// The log: one JSON line per step on standard error, with our own secrets taken out by key and by value.
import { type Logger, pino } from 'pino'

const secretKeys = [
  'token',
  'secret',
  'password',
  'authorization',
  'PRIVATE-TOKEN',
  'private-token',
  'x-gitlab-token',
  'adminToken',
  'serviceToken',
  'hookSecret',
]
const redactPaths = secretKeys.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`])

// A shorter text stands in ordinary words, and a line without them says nothing.
const shortestSecret = 4

export interface LogOptions {
  level: string
  /** Replaced wherever they stand in a line, also inside other text. */
  secrets: readonly string[]
  /** Asked at each line for secrets that came later; none of them goes again. */
  laterSecrets?: () => readonly string[]
  /** Gets whole lines; standard error without it. */
  write?: (line: string) => void
}

/** A logger that never shows the given secrets. */
export function createLog({ level, secrets, laterSecrets = () => [], write = toStandardError }: LogOptions): Logger {
  let known: { later: number; spelled: string[] } | undefined
  const spelled = () => {
    const later = laterSecrets()
    // They only become more.
    if (known?.later !== later.length)
      // The longer first: a secret may begin with another.
      known = { later: later.length, spelled: [...secrets, ...later].flatMap(spellings).sort((a, b) => b.length - a.length) }
    return known.spelled
  }
  const stream = { write: (line: string) => write(spelled().reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line)) }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: redactPaths, censor: '[redacted]' } }, stream)
}

/** However many logs there are, each line has its place in one order, and the process's end is listened for once. */
const toStandardError = onePerTurn()

/** To standard error, where each write waits until it is done: what comes in one turn of the event loop is one write. */
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
