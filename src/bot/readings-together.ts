// One reading for all who need the same rules anew at the same time: a storm of deliveries of a project that nobody knows yet asks for its file once.
import type { CallsAtOnce } from './calls-at-once.ts'

/** `fresh`: it was read just now. */
interface Read {
  fresh: boolean
}

/** What somebody else says of a project's path, and when. */
export interface ToldPath {
  path: string
  /** ISO 8601. */
  at: string
}

/** What is known already. */
export interface Looked<T> {
  rules: () => Promise<T>
  /** Whether what was told is no reason to read them anew. */
  holdsFor: (told: ToldPath) => boolean
}

/** What one of many asks for. */
export interface Wanted<T> {
  /** What it has found already; it reads nothing then, but goes on no earlier than those who wait for a reading. */
  known: T | undefined
  told: ToldPath | undefined
  /** Looks once more, when it is its turn: another may have read meanwhile. */
  look: () => Promise<Looked<T> | undefined>
  read: () => Promise<T>
  inTurn: CallsAtOnce
}

interface Reading<T> {
  /** Of those who joined before it began. */
  told: ToldPath[]
  /** ISO 8601; absent while it waits for its turn and looks, and never for those who are told what came later than what it found. */
  begunAt?: string
  /** Never rejects: all who wait for it go on in the order in which they came, whatever they make of it. */
  ended: Promise<{ rules: T } | { error: unknown }>
}

/** Before all: who is told of anything joins no reading that has ended by what was there. */
const longAgo = ''

/**
 * What `look` finds or `read` gives, which throws what those throw. Who finds that it is being read, or waits for its turn, waits for that, and is not the one
 * to tell of it (`fresh`); unless a path was told since that began. All who waited go on in the order in which they came.
 */
export function readingsTogether<T extends Read>(now: () => number): (project: number, wanted: Wanted<T>) => Promise<T> {
  const readings = new Map<number, Reading<T>>()
  return async (project, wanted) => {
    const { known, told } = wanted
    const running = readings.get(project)
    if (running !== undefined && (known !== undefined || isSoonEnough(running, told))) {
      if (known === undefined && told !== undefined) running.told.push(told)
      const last = await running.ended
      return known ?? { ...rulesOf(last), fresh: false }
    }
    if (known !== undefined) return known
    const begun: Reading<T> = {
      told: told === undefined ? [] : [told],
      ended: wanted.inTurn(() => begin(begun, wanted)).then(ended, failed),
    }
    readings.set(project, begun)
    const last = await begun.ended
    if (readings.get(project) === begun) readings.delete(project)
    return rulesOf(last)
  }

  async function begin(reading: Reading<T>, { look, read }: Wanted<T>): Promise<T> {
    const found = await look()
    if (found !== undefined && reading.told.every(found.holdsFor)) {
      reading.begunAt = longAgo
      return found.rules()
    }
    reading.begunAt = new Date(now()).toISOString()
    return read()
  }
}

const ended = <T>(rules: T) => ({ rules })
const failed = (error: unknown) => ({ error })

function isSoonEnough({ begunAt }: Reading<unknown>, told: ToldPath | undefined): boolean {
  return told === undefined || begunAt === undefined || told.at <= begunAt
}

function rulesOf<T>(last: { rules: T } | { error: unknown }): T {
  if ('error' in last) throw last.error
  return last.rules
}
