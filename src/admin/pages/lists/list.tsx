// A list as a table, which becomes cards in a narrow window, or a text if it is empty.
import type { ComponentChildren } from 'preact'

export interface Column<T> {
  head: string
  cell: (item: T) => ComponentChildren
  /** Takes the remaining width. */
  wide?: true
  /** Needs no head if rows are cards: the value says what it is. */
  plain?: true
  /** Left out if rows are cards. */
  spare?: true
}

/** Cards of longer lists show one line of a wide column. */
const mostInFull = 10

export function List<T>(given: {
  of: string
  items: readonly T[]
  columns: readonly Column<T>[]
  none: ComponentChildren
}) {
  const { of, items, columns, none } = given
  if (items.length === 0) return <p class="none">{none}</p>
  return (
    <table class={items.length > mostInFull ? 'list long' : 'list'}>
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
            {columns.map(({ head, cell, wide, plain, spare }) => (
              <td key={head} class={wide ? 'wide' : spare && 'spare'} data-head={plain ? undefined : head}>
                <div class="cell">{cell(item)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A part of a page, under its heading. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
