// How near the store of deliveries is to its end: it turns down deliveries before memory or disk is used up, and says so earlier (DESIGN §2.1).
import { asError } from '../queue/errors.ts'
import type { Lane, Queue } from '../queue/types.ts'

export interface RoomLimits {
  /** Deliveries that wait to be read, for the first time or once more. */
  backlog: number
  /** Bytes of them. */
  backlogBytes: number
  /** Percent of the memory that Redis may use; of its machine’s, where it has no limit. */
  memoryPercent: number
  /** Bytes that stay free on the disk of an embedded queue. */
  freeDisk: number
}

/** `tight`: take work off this process, or give it more; `full`: deliveries are turned down; `away`: the last one could not be kept. */
export interface RoomCondition {
  is: 'free' | 'tight' | 'full' | 'away'
  /** A sentence. */
  reason?: string
}

export interface StoreRoom {
  condition(): RoomCondition
  /** Looks anew; never throws. */
  look(): Promise<void>
  /** A delivery of so many bytes is durable. */
  kept(bytes: number): void
  /** A delivery was turned down; `error` is why the queue could not keep it, where it was asked. */
  turnedDown(error?: Error): void
  /** Looks at once, and every few seconds until `stop`. */
  start(): void
  /** Resolves when no look goes on. */
  stop(): Promise<void>
}

export interface StoreRoomOptions {
  queue: Pick<Queue, 'space'>
  deliveries: Pick<Lane<unknown>, 'backlog'>
  limits: RoomLimits
  now: () => number
  /** Told of each new condition. */
  onChange: (condition: RoomCondition) => void
  /** Deliveries are taken again; some were turned down from `since` on, and the service sends none of them again. */
  onRecovered: (since: Date) => void
}

const lookEveryMs = 5_000
// The part of a limit at which readiness ends, so that someone hears of it before deliveries are turned down.
const tightFrom = 0.8
// When so much of a limit was taken in since the last look, the next one does not wait: large bodies fill a store between two looks.
const lookAfterPart = 0.05

/** Nothing is known at the start, which counts as free. */
export function createStoreRoom({ queue, deliveries, limits, now, onChange, onRecovered }: StoreRoomOptions): StoreRoom {
  let condition: RoomCondition = { is: 'free' }
  let turnedDownSince: number | undefined
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  const since = { deliveries: 0, bytes: 0 }

  function become(next: RoomCondition): void {
    const changed = next.is !== condition.is
    condition = next
    if (changed) onChange(next)
    if (turnedDownSince === undefined || next.is === 'full' || next.is === 'away') return
    const first = new Date(turnedDownSince)
    turnedDownSince = undefined
    onRecovered(first)
  }

  async function measure(): Promise<RoomCondition> {
    // One whose reading failed waits for its next try, with its body: in trouble they are the most.
    const [{ memory, freeDisk }, { jobs, bytes }] = await Promise.all([queue.space(), deliveries.backlog()])
    const used: [number, string][] = [
      [jobs / limits.backlog, `${jobs} deliveries wait to be read`],
      [bytes / limits.backlogBytes, `${megabytes(bytes)} of deliveries wait to be read`],
    ]
    if (memory !== undefined) {
      const percent = (100 * memory.used) / memory.limit
      used.push([percent / limits.memoryPercent, `Redis uses ${Math.floor(percent)} % of its memory`])
    }
    if (freeDisk !== undefined) {
      const left = `${megabytes(freeDisk)} are free on the disk of the queue`
      used.push([limits.freeDisk === 0 ? 0 : limits.freeDisk / Math.max(freeDisk, 1), left])
    }
    const [part, reason] = used.reduce((most, each) => (each[0] > most[0] ? each : most))
    if (part < tightFrom) return { is: 'free' }
    return { is: part < 1 ? 'tight' : 'full', reason: `${reason}.` }
  }

  async function look(): Promise<void> {
    Object.assign(since, { deliveries: 0, bytes: 0 })
    become(await measure().catch(away))
  }

  const room: StoreRoom = {
    condition: () => condition,
    look() {
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
    kept(bytes) {
      since.deliveries += 1
      since.bytes += bytes
      if (since.deliveries >= limits.backlog * lookAfterPart || since.bytes >= limits.backlogBytes * lookAfterPart) void room.look()
      // A store that takes something is not away; whether it is full is for the next look to say.
      if (condition.is === 'away') become({ is: 'free' })
      else if (turnedDownSince !== undefined) become(condition)
    },
    turnedDown(error) {
      turnedDownSince ??= now()
      if (error !== undefined) become(away(error))
    },
    start() {
      void room.look()
      timer = setInterval(() => void room.look(), lookEveryMs)
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
  return room
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MB`
}

function away(error: unknown): RoomCondition {
  return { is: 'away', reason: asError(error).message }
}
