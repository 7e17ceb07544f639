// The tables of docs/performance.md: each is written from a run, and later runs are compared with it.
import { type Row, table } from './row.ts'

/** A ratio that is worse than the published one by this factor is told. */
const muchWorse = 1.2

const markedTable = (bench: string) => new RegExp(`(?<=<!-- bench ${bench} -->\n)[^]*?(?=<!-- end -->)`)

/** The page with the table of a bench replaced, `source` (commit, date) below it. Throws if the page has none for it. */
export function withTable(page: string, bench: string, { rows, source }: { rows: readonly Row[]; source: string }) {
  if (!markedTable(bench).test(page)) throw new Error(`The page has no line "<!-- bench ${bench} -->".`)
  return page.replace(markedTable(bench), () => `\n${table(rows)}\n${source}\n\n`)
}

/** For each row that is 20 % worse than in the page's table: a sentence. Rows that the page does not have are left out. */
export function worseThan(page: string, bench: string, rows: readonly Row[]): string[] {
  const published = new Map(
    (markedTable(bench).exec(page)?.[0] ?? '').split('\n').flatMap((line) => {
      const [, name, what, beside, ratio] = line.split('|').map((cell) => cell.trim())
      return ratio === undefined ? [] : [[keyOf(name, named(what), named(beside)), Number(ratio)]]
    }),
  )
  return rows.flatMap((row) => {
    const { name, what, beside, ratio } = row
    const before = published.get(keyOf(name, what, beside)) ?? Number.NaN
    const factor = isBetterWhenMore(row) ? before / ratio : ratio / before
    const both = `${ratio.toPrecision(3)} in place of ${before}`
    return factor > muchWorse ? [`${name}, ${what} / ${beside}: ${both} in docs/performance.md`] : []
  })
}

const keyOf = (...parts: (string | undefined)[]) => JSON.stringify(parts)

/** The name in a cell such as `bellhop: 2,400/s`. */
const named = (cell = '') => cell.slice(0, cell.lastIndexOf(': '))

const isBetterWhenMore = ({ aim, unit }: Row) => (aim === undefined ? unit.startsWith('/') : 'least' in aim)
