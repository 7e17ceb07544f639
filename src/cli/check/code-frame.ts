// The line of a file that a problem is about, with a caret under the place.
import { colours } from '../colours.ts'
import { plain } from '../terminal-text.ts'

const WIDEST = 120

/** The line before, the line itself, and the caret. A long line is shown around the place. */
export function codeFrame(text: string, { line, column }: { line: number; column: number }): string[] {
  const lines = text.split(/\r?\n/)
  const start = column > WIDEST - 20 ? column - Math.floor(WIDEST / 2) : 0
  const shown = (number: number) => {
    const part = (lines[number - 1] ?? '').slice(start, start + WIDEST)
    return `${start > 0 && part !== '' ? '…' : ''}${plain(part)}`
  }
  const width = String(line).length
  const gutter = (label: string) => colours.dim(`  ${label.padStart(width)} │ `)
  const caret = ' '.repeat(column - 1 - start + (start > 0 ? 1 : 0))
  const before = line > 1 ? [`${gutter(String(line - 1))}${colours.dim(shown(line - 1))}`] : []
  return [...before, `${gutter(String(line))}${shown(line)}`, `${gutter('')}${caret}${colours.red('^')}`]
}
