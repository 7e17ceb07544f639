// What the demo's stories play in, and how they check.
import type { createNarrator } from './narrator.ts'
import type { SmallWorld } from './small-world.ts'

export interface Stage {
  world: SmallWorld
  narrator: ReturnType<typeof createNarrator>
  /** Runs once, just before the service handles the next accept. */
  beforeNextAccept: (action: () => Promise<void>) => void
}

export type Check = (claim: string, found: unknown, expected: unknown) => void
