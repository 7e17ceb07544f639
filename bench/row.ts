// What a bench measured: each line a figure beside another one that was measured in turns with it, and their ratio.

export interface Row {
  /** What is measured: `receiver, 32 connections`. */
  name: string
  /** Whose figure, and beside whose. */
  what: string
  beside: string
  /** How often both sides were measured. */
  rounds: number
  /** Medians of the rounds. */
  value: number
  besideValue: number
  /** Empty for numbers of things. */
  unit: '/s' | '/h' | 'ms' | 'min' | 'MB' | 'KB' | '%' | ''
  /** Median of the rounds' own ratios of the first to the second. */
  ratio: number
  /** The ratio to reach, and from which side. */
  aim?: { least: number } | { most: number }
}

/** One bench: `bench/NAME/run.ts` exports it as `bench`. */
export interface Bench {
  /** For --help: what is measured, beside what. */
  about: string
  /** Throws CannotRun where this machine lacks something. `part`: all benches run, so measure slow things in part. */
  measure(given: { rounds: number; say: (sentence: string) => void; part: boolean }): Promise<Row[]>
}

/** The reason is a sentence for people. */
export class CannotRun extends Error {}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** Each round measured both sides. */
export function rowOf(
  named: Omit<Row, 'rounds' | 'value' | 'besideValue' | 'ratio'>,
  rounds: readonly (readonly [number, number])[],
): Row {
  return {
    ...named,
    rounds: rounds.length,
    value: median(rounds.map(([one]) => one)),
    besideValue: median(rounds.map(([, other]) => other)),
    ratio: median(rounds.map(([one, other]) => one / other)),
  }
}

/** A table of Markdown, and above it what its figures are medians of. */
export function table(rows: readonly Row[]): string {
  const rounds = rows.map((row) => row.rounds)
  const [fewest, most] = [Math.min(...rounds), Math.max(...rounds)]
  const measured = most === 1 ? 'Measured once' : `Medians of ${fewest === most ? most : `${fewest} to ${most}`} rounds`
  const lines = rows.map(({ name, what, beside, value, besideValue, unit, ratio, aim }) => [
    name,
    `${what}: ${shown(value, unit)}`,
    `${beside}: ${shown(besideValue, unit)}`,
    ratio.toPrecision(ratio < 1 ? 2 : 3),
    aim === undefined ? '' : 'least' in aim ? `≥ ${aim.least}` : `≤ ${aim.most}`,
  ])
  const cells = [['', 'measured', 'compared with', 'ratio', 'aim'], ['---', '---', '---', '---:', '---:'], ...lines]
  return `${measured}.\n\n${cells.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`
}

function shown(value: number, unit: Row['unit']): string {
  const number = value >= 100 ? value.toFixed(0) : value.toPrecision(3)
  return unit === '' || unit.startsWith('/') ? `${number}${unit}` : `${number} ${unit}`
}
