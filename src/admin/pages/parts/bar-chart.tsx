// A bar chart of numbers over time, with a sentence and a table for screen readers.

interface BarChartProps {
  /** Unique on its page. */
  id: string
  title: string
  /** When the first bar begins, such as `1 h ago`; the last one ends now. */
  since: string
  /** The sum of all bars, such as `12 in total`. */
  sum: string
  bars: readonly { label: string; value: number }[]
}

const height = 100
const width = 10
const gap = 2

export function BarChart({ id, title, since, sum, bars }: BarChartProps) {
  const most = Math.max(0, ...bars.map(({ value }) => value))
  const at = bars.find(({ value }) => value === most)
  const description = most === 0 ? `${title}: none.` : `${title}: ${sum}; at most ${most}, at ${at?.label}.`
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
          <desc id={`${id}-desc`}>{description}</desc>
          {bars.map(({ label, value }, n) => {
            // A small bar stays visible.
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
        <summary>Show as table</summary>
        <table class="numbers">
          <caption class="visually-hidden">{title}</caption>
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
