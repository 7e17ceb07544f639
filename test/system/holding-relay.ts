// A relay that holds requests: before the service sees them, or after it has done them and before the bot is told.
import { type RelayedRequest, startRelay } from './relay.ts'

export type Hold = 'nothing' | 'before' | 'after'

export type HoldingRelay = Awaited<ReturnType<typeof startHoldingRelay>>

export async function startHoldingRelay(target: string) {
  let holding: Hold = 'nothing'
  let isHeld: (request: RelayedRequest) => boolean = isWrite
  let held: string[] = []
  const releases: (() => void)[] = []
  const relay = await startRelay(target, async (request, forward) => {
    const hold = isHeld(request) ? holding : 'nothing'
    if (hold === 'before') return void held.push(request.path)
    const answer = await forward()
    if (hold === 'after') {
      held.push(request.path)
      await new Promise<void>((resolve) => releases.push(resolve))
    }
    return answer
  })
  return {
    ...relay,
    /** From now on; writes, when not told which. What is held stays so until it is released. */
    hold(what: Hold, which: (request: RelayedRequest) => boolean = isWrite) {
      holding = what
      isHeld = which
      held = []
    },
    /** The paths that are held, since `hold` was last called. */
    held: () => held,
    /** Passes on the responses that are held after the service has done its part. */
    release() {
      for (const release of releases.splice(0)) release()
    },
  }
}

function isWrite({ method }: RelayedRequest): boolean {
  return method !== 'GET'
}
