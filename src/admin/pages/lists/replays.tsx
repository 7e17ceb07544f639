// The replays of a delivery or decision: when, by whom, why.
import type { Replay } from '../../../journal/types.ts'
import { Time } from '../parts/time.tsx'

export function Replays({ of }: { of: readonly Replay[] }) {
  return (
    <ol class="plain-list">
      {of.map(({ at, by, why }, index) => (
        <li key={index}>
          <Time at={at} /> by {by}
          {why !== undefined && `: ${why}`}
        </li>
      ))}
    </ol>
  )
}
