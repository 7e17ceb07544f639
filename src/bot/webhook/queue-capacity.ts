// Backpressure: measures how full the delivery queue is, so that deliveries are refused before memory or disk runs out.
import { asError } from '../../queue/errors.ts'
import type { JobQueue, Queues } from '../../queue/types.ts'

export interface CapacityLimits {
  /** Deliveries that wait for intake, retries included. */
  backlog: number
  /** Bytes of those deliveries. */
  backlogBytes: number
  /** Percent of Redis' maxmemory; of its machine's memory if it has no limit. */
  memoryPercent: number
  /** Bytes that stay free on the disk of an embedded queue or journal. */
  freeDisk: number
}

/** `low`: /readyz fails, deliveries are accepted; `full`: they are refused; `unreachable`: the queue did not answer. */
export interface CapacityCondition {
  is: 'available' | 'low' | 'full' | 'unreachable'
  /** A sentence. */
  reason?: string
}

export type QueueCapacity = ReturnType<typeof createQueueCapacity>

export interface QueueCapacityOptions {
  backend: Pick<Queues, 'space'>
  deliveries: Pick<JobQueue<unknown>, 'backlog'>
  limits: CapacityLimits
  now: () => number
  /** Called with each new condition. */
  onChange: (condition: CapacityCondition) => void
  /** Called when deliveries are accepted again after refusals, the first at `since`: no service resends those. */
  onRecovered: (since: Date) => void
}

const measureEveryMs = 5_000
/** While no deliveries arrive, measures only one time in so many. */
const idleEvery = 6
/** /readyz fails from this part of a limit, so that operators are warned before deliveries are refused. */
const lowFrom = 0.8
/** Measured at once after so much of a limit was accepted: large bodies fill a queue within one interval. */
const measureAfterPart = 0.05

/** Available until the first measurement. */
export function createQueueCapacity(options: QueueCapacityOptions) {
  const { limits, now, onChange, onRecovered } = options
  let condition: CapacityCondition = { is: 'available' }
  let refusedSince: number | undefined
  let timer: NodeJS.Timeout | undefined
  let measuring: Promise<void> | undefined
  let unmeasured = { deliveries: 0, bytes: 0 }
  let skipped = 0

  function become(next: CapacityCondition): void {
    const changed = next.is !== condition.is
    condition = next
    if (changed) onChange(next)
    if (refusedSince === undefined || next.is === 'full' || next.is === 'unreachable') return
    const since = new Date(refusedSince)
    refusedSince = undefined
    onRecovered(since)
  }

  /** Measures now; never throws. */
  function measure(): Promise<void> {
    unmeasured = { deliveries: 0, bytes: 0 }
    skipped = 0
    measuring ??= measureUse(options)
      .catch(unreachable)
      .then(become)
      .finally(() => {
        measuring = undefined
      })
    return measuring
  }

  function measureUnlessIdle(): void {
    skipped += 1
    if (condition.is !== 'available' || unmeasured.deliveries > 0 || skipped === idleEvery) void measure()
  }

  return {
    condition: (): CapacityCondition => condition,
    measure,
    /** A delivery of so many bytes is durable. */
    accepted(bytes: number): void {
      unmeasured.deliveries += 1
      unmeasured.bytes += bytes
      const part = Math.max(unmeasured.deliveries / limits.backlog, unmeasured.bytes / limits.backlogBytes)
      if (part >= measureAfterPart) void measure()
      // A queue that accepts a job is reachable; the next measurement tells whether it is full.
      if (condition.is === 'unreachable') become({ is: 'available' })
      else if (refusedSince !== undefined) become(condition)
    },
    /** A delivery was refused; `error` is the queue's, if it was asked. */
    refused(error?: Error): void {
      refusedSince ??= now()
      if (error !== undefined) become(unreachable(error))
    },
    /** Measures now and every few seconds until `stop`; less often while no deliveries arrive. */
    start(): void {
      void measure()
      timer = setInterval(measureUnlessIdle, measureEveryMs)
    },
    /** Resolves when no measurement runs. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await measuring
    },
  }
}

async function measureUse({ backend, deliveries, limits }: QueueCapacityOptions): Promise<CapacityCondition> {
  const [{ memory, freeDisk }, { jobs, bytes }] = await Promise.all([backend.space(), deliveries.backlog()])
  const uses = [
    { part: jobs / limits.backlog, reason: `${jobs} deliveries wait for intake.` },
    { part: bytes / limits.backlogBytes, reason: `${megabytes(bytes)} of deliveries wait for intake.` },
  ]
  if (memory !== undefined) {
    const percent = (100 * memory.used) / memory.limit
    uses.push({ part: percent / limits.memoryPercent, reason: `Redis uses ${Math.floor(percent)} % of its memory.` })
  }
  if (freeDisk !== undefined)
    uses.push({
      part: limits.freeDisk / freeDisk,
      reason: `${megabytes(freeDisk)} are free on the disk of the embedded database.`,
    })
  const { part, reason } = uses.reduce((fullest, each) => (each.part > fullest.part ? each : fullest))
  return part < lowFrom ? { is: 'available' } : { is: part < 1 ? 'low' : 'full', reason }
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MB`
}

function unreachable(error: unknown): CapacityCondition {
  return { is: 'unreachable', reason: asError(error).message }
}
