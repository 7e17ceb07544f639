// Key numbers, each with its name and an explanation.
import type { ComponentChildren } from 'preact'

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
