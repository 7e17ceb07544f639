// A few numbers that say at a glance how it goes: each with its name, and words for what it means.
import type { ComponentChildren } from 'preact'

export interface Tile {
  name: string
  number: string
  /** What it means, or where it leads. */
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
