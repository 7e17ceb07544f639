// Prints on the terminal; text from outside cannot control it.
import { Option } from 'commander'
import pc from 'picocolors'

/** Without control characters, on one line. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, ' ')
}

export function printLines(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Prints the value as JSON if that is the format, else the lines. */
export function printAs(format: 'text' | 'json', value: unknown, lines: () => readonly string[]): void {
  if (format === 'json') printJson(value)
  else printLines(lines())
}

/** Prints one JSON document; with an indent of 0 on one line. */
export function printJson(value: unknown, indent = 2): void {
  // JSON does not escape these, and terminals obey them.
  const text = JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  process.stdout.write(`${text}\n`)
}

/** `more`: further formats of a command. */
export function formatOption(...more: string[]): Option {
  return new Option('--format <format>', 'output format').choices(['text', 'json', ...more]).default('text')
}

const { NO_COLOR = '', FORCE_COLOR = '' } = process.env
const isForced = FORCE_COLOR !== '' && FORCE_COLOR !== '0'
export const colours = pc.createColors(NO_COLOR === '' && (isForced || process.stdout.isTTY === true))

const WIDTH = 24

/** On terminals alone. */
export function createProgress() {
  const write = (text: string) => process.stderr.isTTY === true && process.stderr.write(text)
  return {
    show(text: string, share: number): void {
      const done = Math.round(WIDTH * Math.min(1, Math.max(0, share)))
      write(`\r\u001b[K[${'█'.repeat(done)}${' '.repeat(WIDTH - done)}] ${text}`)
    },
    /** Removes the line. */
    end: () => void write('\r\u001b[K'),
  }
}
