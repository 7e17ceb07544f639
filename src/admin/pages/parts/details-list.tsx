// Details of one thing as names and values, and key numbers.
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

/** Problems or warnings of a file, each in a line. */
export function Messages({ of, tone }: { of: readonly string[]; tone?: 'problem' | 'notice' }) {
  return (
    <ul class={tone}>
      {of.map((each, index) => (
        <li key={index}>
          <code>{each}</code>
        </li>
      ))}
    </ul>
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

export interface Tile {
  name: string
  number: string
  words?: ComponentChildren
  bad?: boolean
}

export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl class="tiles">
      {tiles.map(({ name, number, words, bad = false }) => (
        <div key={name} class={bad ? 'tile bad' : 'tile'}>
          <dt>{name}</dt>
          <dd>
            <span class="number">{number}</span>
            {words !== undefined && <span class="words">{words}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
