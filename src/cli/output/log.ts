// The log: JSON lines on standard error, with secrets redacted by key and by value.
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
    write: (line: string) => write(spelled().reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line)),
  }
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redactPaths, censor: '[redacted]' },
    },
    stream,
  )
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
