// A list as a table, which becomes cards in a narrow window, or a text if it is empty.
import type { ComponentChildren } from 'preact'

export interface Column<T> {
  head: string
  cell: (item: T) => ComponentChildren
  /** Takes the remaining width. */
  wide?: true
}

export function List<T>(given: {
  of: string
  items: readonly T[]
  columns: readonly Column<T>[]
  none: ComponentChildren
}) {
  const { of, items, columns, none } = given
  if (items.length === 0) return <p class="none">{none}</p>
  return (
    <table class="list">
      <caption class="visually-hidden">{of}</caption>
      <thead>
        <tr>
          {columns.map(({ head, wide }) => (
            <th key={head} scope="col" class={wide && 'wide'}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={index}>
            {columns.map(({ head, cell }) => (
              <td key={head} data-head={head}>
                <div class="cell">{cell(item)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
