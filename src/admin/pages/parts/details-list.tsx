// Details of one thing as names and values, and texts in a list or a line.
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

interface MessagesProps {
  of: readonly string[]
  tone?: 'problem' | 'notice'
  /** The address of the rule editor with the file that they are about; empty on its own page. */
  editor: string
}

/** Problems or warnings of rule files; those of the repository's file lead to their line in the editor. */
export function Messages({ of, tone, editor }: MessagesProps) {
  return (
    <ul class={tone}>
      {of.map((each, index) => {
        const [place = '', line] = /^\.bellhop\.yml:(\d+):\d+/.exec(each) ?? []
        return (
          <li key={index}>
            <code>
              {line !== undefined && <a href={`${editor}#line-${line}`}>{place}</a>}
              {each.slice(place.length)}
            </code>
          </li>
        )
      })}
    </ul>
  )
}

/** The first items in one line, separated by commas. */
export function CommaList<T>(given: { of: readonly T[]; most?: number; each: (item: T) => ComponentChildren }) {
  const { of, most = 3, each } = given
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
