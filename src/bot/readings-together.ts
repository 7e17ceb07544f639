// One reading for all who need the same rules anew at the same time: a storm of deliveries of a project that nobody knows yet asks for its file once.
import type { CallsAtOnce } from './calls-at-once.ts'

/** `fresh`: it was read just now. */
interface Read {
  fresh: boolean
}

/** What one of many asks for. */
export interface Wanted<T> {
  /** What it has found already; it reads nothing then, but goes on no earlier than those who wait for a reading. */
  known: T | undefined
  /** When somebody told of another path (ISO 8601). */
  told: { at: string } | undefined
  read: () => Promise<T>
  inTurn: CallsAtOnce
}

interface Reading<T> {
  /** ISO 8601; absent while it waits for its turn. */
  begunAt?: string
  /** Never rejects: all who wait for it go on in the order in which they came, whatever they make of it. */
  ended: Promise<{ rules: T } | { error: unknown }>
}

/**
 * What `read` gives, which throws what that throws. Who finds that it is being read, or waits for its turn, waits for that, and is not the one
 * to tell of it (`fresh`); unless a path was told since that began. All who waited go on in the order in which they came.
 */
export function readingsTogether<T extends Read>(now: () => number): (project: number, wanted: Wanted<T>) => Promise<T> {
  const readings = new Map<number, Reading<T>>()
  return async (project, { known, told, read, inTurn }) => {
    const running = readings.get(project)
    if (running !== undefined && (known !== undefined || isSoonEnough(running, told))) {
      const ended = await running.ended
      return known ?? { ...rulesOf(ended), fresh: false }
    }
    if (known !== undefined) return known
    const begun: Reading<T> = {
      ended: inTurn(() => {
        begun.begunAt = new Date(now()).toISOString()
        return read()
      }).then(
        (rules) => ({ rules }),
        (error: unknown) => ({ error }),
      ),
    }
    readings.set(project, begun)
    const ended = await begun.ended
    if (readings.get(project) === begun) readings.delete(project)
    return rulesOf(ended)
  }
}

function isSoonEnough({ begunAt }: Reading<unknown>, told: { at: string } | undefined): boolean {
  return told === undefined || begunAt === undefined || told.at <= begunAt
}

function rulesOf<T>(ended: { rules: T } | { error: unknown }): T {
  if ('error' in ended) throw ended.error
  return ended.rules
}
