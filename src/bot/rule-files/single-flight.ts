// Single-flight reading of a project's rules: concurrent callers share one reading of its file.
import type { LimitFunction } from 'p-limit'

/** `fresh`: read by this call. */
interface Read {
  fresh: boolean
}

/** A project's path as a delivery reports it. */
export interface ReportedPath {
  path: string
  /** ISO 8601. */
  at: string
}

/** Rules that were read before. */
export interface KnownRules<T> {
  rules: () => Promise<T>
  /** False where the reported path makes them outdated. */
  isValidFor: (reported: ReportedPath) => boolean
}

export interface ReadRequest<T> {
  /** Returned without a reading, after the running one has ended: this keeps the order of callers. */
  known: T | undefined
  reported: ReportedPath | undefined
  /** Looks again before reading: another process may have read meanwhile. */
  look: () => Promise<KnownRules<T> | undefined>
  read: () => Promise<T>
  limitConcurrency: LimitFunction
}

interface Reading<T> {
  /** From the callers that joined before it began. */
  reported: ReportedPath[]
  /** ISO 8601; absent while it waits and looks. */
  begunAt?: string
  /** Never rejects: all callers continue in the order of their calls. */
  ended: Promise<{ rules: T } | { error: unknown }>
}

/** Nothing had to be read: later callers with a reported path do not join. */
const longAgo = ''

/**
 * Returns what `look` finds, else what `read` returns; throws what they throw. A caller joins a waiting or running
 * reading and gets `fresh: false`, unless its reported path is newer than that reading. Callers continue in order.
 */
export function singleFlightReads<T extends Read>(
  now: () => number,
): (project: number, request: ReadRequest<T>) => Promise<T> {
  const readings = new Map<number, Reading<T>>()
  return async (project, request) => {
    const { known, reported } = request
    const running = readings.get(project)
    if (running !== undefined && (known !== undefined || isSoonEnough(running, reported))) {
      if (known === undefined && reported !== undefined) running.reported.push(reported)
      const last = await running.ended
      return known ?? { ...rulesOf(last), fresh: false }
    }
    if (known !== undefined) return known
    const reading: Reading<T> = {
      reported: reported === undefined ? [] : [reported],
      ended: request.limitConcurrency(() => begin(reading, request)).then(success, failure),
    }
    readings.set(project, reading)
    const last = await reading.ended
    if (readings.get(project) === reading) readings.delete(project)
    return rulesOf(last)
  }

  async function begin(reading: Reading<T>, { look, read }: ReadRequest<T>): Promise<T> {
    const found = await look()
    if (found !== undefined && reading.reported.every(found.isValidFor)) {
      reading.begunAt = longAgo
      return found.rules()
    }
    reading.begunAt = new Date(now()).toISOString()
    return read()
  }
}

const success = <T>(rules: T) => ({ rules })
const failure = (error: unknown) => ({ error })

function isSoonEnough({ begunAt }: Reading<unknown>, reported: ReportedPath | undefined): boolean {
  return reported === undefined || begunAt === undefined || reported.at <= begunAt
}

function rulesOf<T>(last: { rules: T } | { error: unknown }): T {
  if ('error' in last) throw last.error
  return last.rules
}
