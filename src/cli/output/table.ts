// Rows as a table for the terminal.
import Table from 'cli-table3'
import { plain } from './terminal-text.ts'

/** A cell may have several lines. */
export type Cell = string | number | readonly string[]

/** A table, or `none` without rows. */
export function listOf(head: readonly string[], rows: readonly (readonly Cell[])[], none: string): string {
  return rows.length === 0 ? none : tableOf(head, rows)
}

/** Text from outside cannot control the terminal. On a terminal, cells are wrapped so that the table fits its width. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  width = process.stdout.isTTY ? process.stdout.columns : undefined,
): string {
  const cells = rows.map((row) => row.map((cell) => [cell].flat().map((line) => plain(String(line)))))
  const colWidths = width === undefined ? [] : widthsIn(width, [head.map((each) => [each]), ...cells])
  const words = cells.flatMap((row) =>
    row.map((lines) =>
      Math.max(
        ...lines
          .join(' ')
          .split(' ')
          .map(({ length }) => length),
      ),
    ),
  )
  const fits = words.every((length, index) => length + PADDING <= (colWidths[index % head.length] ?? length + PADDING))
  const table = new Table({
    head: [...head],
    style: { head: [], border: [], compact: true },
    // A longer word than its column would be cut off.
    ...(colWidths.length === 0 ? {} : { colWidths, wordWrap: true, wrapOnWordBoundary: fits }),
  })
  for (const row of cells) table.push(row.map((lines) => lines.join('\n')))
  return table.toString()
}

const PADDING = 2
const LEAST = 8

/** The width of each column, from which the widest give up what is too much. */
function widthsIn(most: number, rows: readonly (readonly string[][])[]): number[] {
  const [head = []] = rows
  const widths = head.map((_, column) =>
    Math.max(...rows.map((row) => Math.max(0, ...(row[column] ?? []).map(({ length }) => length)) + PADDING)),
  )
  let excess = widths.reduce((sum, each) => sum + each, widths.length + 1) - most
  for (; excess > 0 && Math.max(...widths) > LEAST; excess--) {
    const widest = widths.indexOf(Math.max(...widths))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}
