// Shows the line of a problem with a caret under its place.
import { colours } from '../output/colours.ts'
import { plain } from '../output/terminal-text.ts'

const WIDEST = 120

/** Shows the line before it as well. A long line is cut around the place. */
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
