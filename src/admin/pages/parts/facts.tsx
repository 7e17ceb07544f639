// What is known of one thing, as names and values.
import type { ComponentChildren } from 'preact'

/** What is undefined is left out. */
export function Facts({ of }: { of: Record<string, ComponentChildren> }) {
  return (
    <dl class="facts">
      {Object.entries(of).map(([name, value]) =>
        value === undefined || value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** Things in one line, with commas. */
export function Several<T>({ of, most = 3, each }: { of: readonly T[]; most?: number; each: (item: T) => ComponentChildren }) {
  const shown = of.slice(0, most)
  return (
    <>
      {shown.map((item, index) => (
        <span key={index}>
          {index > 0 && ', '}
          {each(item)}
        </span>
      ))}
      {of.length > shown.length && ` and ${of.length - shown.length} more`}
    </>
  )
}
