// The log: one JSON line per step on standard error, with our own secrets taken out by key and by value.
import { Writable } from 'node:stream'
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
  /** Asked at each line for secrets that came later. */
  laterSecrets?: () => readonly string[]
  /** Gets whole lines; standard error without it. */
  write?: (line: string) => void
}

/** A logger that never shows the given secrets. */
export function createLog({ level, secrets, laterSecrets = () => [], write }: LogOptions): Logger {
  const known = secrets.flatMap(spellings)
  const clean = (line: string) =>
    [...known, ...laterSecrets().flatMap(spellings)]
      // The longer first: a secret may begin with another.
      .sort((a, b) => b.length - a.length)
      .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), line)
  const out = write ?? ((line: string) => process.stderr.write(line))
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      out(clean(String(chunk)))
      done()
    },
  })
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: redactPaths, censor: '[redacted]' } }, stream)
}

function spellings(secret: string): string[] {
  return secret.length < shortestSecret
    ? []
    : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString())]
}
