// Rows as a table for the terminal.
import Table from 'cli-table3'
import { plain } from './terminal-text.ts'

/** A cell may have several lines. */
export type Cell = string | number | readonly string[]

/** A table, or `none` without rows. */
export function listOf(head: readonly string[], rows: readonly (readonly Cell[])[], none: string): string {
  return rows.length === 0 ? none : tableOf(head, rows)
}

/** Text from outside cannot control the terminal. */
export function tableOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } })
  for (const row of rows)
    table.push(
      row.map((cell) =>
        [cell]
          .flat()
          .map((line) => plain(String(line)))
          .join('\n'),
      ),
    )
  return table.toString()
}
