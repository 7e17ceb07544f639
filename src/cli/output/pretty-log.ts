// Formats log lines for people.
import pc from 'picocolors'
import { levels } from 'pino'
import { plain } from './terminal-text.ts'

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
