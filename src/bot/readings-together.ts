// One reading for all who need the same rules anew at the same time: a storm of deliveries of a project that nobody knows yet asks for its file once.
import type { CallsAtOnce } from './calls-at-once.ts'

/** `fresh`: it was read just now. */
interface Read {
  fresh: boolean
}

interface Reading<T> {
  /** ISO 8601; absent while it waits for its turn. */
  begunAt?: string
  rules: Promise<T>
}

/**
 * What `refresh` gives, which throws what that throws. Who finds that it is being read, or waits for its turn, waits for that, and is not the one
 * to tell of it (`fresh`); unless a path was told since that began. All who waited go on in the order in which they came.
 */
export function readingsTogether<T extends Read>(
  refresh: (project: number) => Promise<T>,
  now: () => number,
): (project: number, told: { at: string } | undefined, inTurn: CallsAtOnce) => Promise<T> {
  const readings = new Map<number, Reading<T>>()
  return async (project, told, inTurn) => {
    const running = readings.get(project)
    const isSoonEnough = (begunAt: string | undefined) => told === undefined || begunAt === undefined || told.at <= begunAt
    if (running !== undefined && isSoonEnough(running.begunAt)) return { ...(await running.rules), fresh: false }
    const begun: Reading<T> = {
      rules: inTurn(() => {
        begun.begunAt = new Date(now()).toISOString()
        return refresh(project)
      }),
    }
    readings.set(project, begun)
    try {
      return await begun.rules
    } finally {
      if (readings.get(project) === begun) readings.delete(project)
    }
  }
}
