// What was measured, as a Markdown table.

export interface Row {
  name: string
  what: string
  beside: string
  /** Medians, in requests a second. */
  rate: number
  besideRate: number
  /** Median of the rounds' ratios of the first to the second. */
  ratio: number
  /** Size of the answer. */
  bytes?: number
}

export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ name, what, beside, rate, besideRate, ratio, bytes }) => [
    name,
    bytes === undefined ? '' : String(bytes),
    `${what}: ${rate.toFixed(0)}/s`,
    `${beside}: ${besideRate.toFixed(0)}/s`,
    ratio.toFixed(3),
  ])
  const cells = [['call', 'bytes', 'measured', 'beside', 'ratio'], ['---', '---:', '---', '---', '---:'], ...lines]
  return `${cells.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`
}
