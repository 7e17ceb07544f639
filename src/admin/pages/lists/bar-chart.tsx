// A bar chart of numbers over time as SVG, with a sentence for screen readers and a table of the numbers.
import { List, plain } from './list.tsx'

export interface Bar {
  /** When it begins, such as `Mon 23`. */
  label: string
  value: number
  /** The value in words, and what else the table has of it; absent where there is none. */
  cells?: readonly [string, ...string[]]
}

interface BarChartProps {
  title: string
  /** What the bars say in all, such as `3 today, 12 in 7 days`. */
  sum: string
  /** What a number means. */
  note?: string
  /** The heads of the table: of the label, and of the cells. */
  heads: readonly string[]
  /** The oldest first. */
  bars: readonly Bar[]
}

const [height, width, gap] = [100, 10, 2]

export function BarChart({ title, sum, note, heads, bars }: BarChartProps) {
  const [first, ...others] = bars
  if (first === undefined) return null
  const most = others.reduce((top, each) => (each.value > top.value ? each : top), first)
  const peak = most.value === 0 ? 'none.' : `${sum}; at most ${most.cells?.[0]}, at ${most.label}.`
  const columns = heads.map((head, at) => plain<Bar>(head, ({ label, cells }) => (at === 0 ? label : cells?.[at - 1])))
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        <div class="dim">{sum}</div>
      </figcaption>
      <svg
        viewBox={`0 0 ${bars.length * width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${peak}`}
      >
        {bars.map(({ label, value, cells }, n) => {
          // A small bar stays visible.
          const tall = value === 0 ? 0 : Math.max(3, (value / most.value) * height)
          return (
            <rect key={label} class="bar" x={n * width + gap / 2} y={height - tall} width={width - gap} height={tall}>
              <title>{`${label}: ${cells?.[0] ?? 'none'}`}</title>
            </rect>
          )
        })}
      </svg>
      <div class="axis" aria-hidden="true">
        <span>{first.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <details>
        <summary>Show as table</summary>
        {note !== undefined && <p class="dim">{note}</p>}
        <List of={title} items={bars.filter(({ cells }) => cells !== undefined)} columns={columns} none="" small />
      </details>
    </figure>
  )
}
