// Texts as CSV (RFC 4180), safe to open in a spreadsheet.

/** What a spreadsheet takes for the beginning of a formula. A tab or a line break may come before it. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r]/

/** Ends each row with a line break. Others choose paths and names: what would be a formula gets a leading `'`. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
