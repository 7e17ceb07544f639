// Details of one thing as names and values.
import type { ComponentChildren } from 'preact'

/** Leaves out undefined, null and false values. */
export function DetailsList({ of }: { of: Record<string, ComponentChildren> }) {
  return (
    <dl class="details">
      {Object.entries(of).map(([name, value]) =>
        value === undefined || value === null || value === false ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** The first items in one line, separated by commas. */
export function CommaList<T>({
  of,
  most = 3,
  each,
}: {
  of: readonly T[]
  most?: number
  each: (item: T) => ComponentChildren
}) {
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
