// Tables of Markdown, as the generated pages have them.

/** In a cell of a table. */
export const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
export const code = (text: string) => `\`${cell(text)}\``
export const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
export const table = (head: string[], rows: string[]) =>
  [row(...head), `|${'---|'.repeat(head.length)}`, ...rows].join('\n')
