// Numbers over time as bars, drawn by the server; with a sentence and a table for whoever does not see them.

export interface Bar {
  /** When, as people say it. */
  label: string
  value: number
}

export interface BarChartProps {
  /** Names the chart on its page. */
  id: string
  title: string
  /** When the first bar begins, as people say it; the last one ends now. */
  since: string
  /** What the bars are together: `12 in the last hour`. */
  sum: string
  bars: readonly Bar[]
}

const height = 100
const width = 10
const gap = 2

export function BarChart({ id, title, since, sum, bars }: BarChartProps) {
  const most = Math.max(0, ...bars.map(({ value }) => value))
  const at = bars.find(({ value }) => value === most)
  const told = most === 0 ? `${title}: none.` : `${title}: ${sum}; the most, ${most}, ${at?.label}.`
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong> <span class="dim">{sum}</span>
      </figcaption>
      <div class="plot">
        <span class="most" aria-hidden="true">
          {most}
        </span>
        <svg
          viewBox={`0 0 ${bars.length * width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={`${id}-title ${id}-desc`}
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-desc`}>{told}</desc>
          {bars.map(({ label, value }, n) => {
            // One of many is still to be seen.
            const tall = value === 0 ? 0 : Math.max(3, (value / most) * height)
            return (
              <rect key={label} class="bar" x={n * width + gap / 2} y={height - tall} width={width - gap} height={tall}>
                <title>{`${label}: ${value}`}</title>
              </rect>
            )
          })}
        </svg>
        <div class="axis" aria-hidden="true">
          <span>{since}</span>
          <span>now</span>
        </div>
      </div>
      <details>
        <summary>As a table</summary>
        <table class="numbers">
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">From (UTC)</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
