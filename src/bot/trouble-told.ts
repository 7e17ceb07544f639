// An outage of the service is told of once by all processes, and only when it lasts; that it is over, where it was told of.
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import type { Journal } from '../journal/types.ts'
import { asError } from '../queue/errors.ts'
import type { Told } from './notice.ts'
import type { ServiceCondition, ServiceState } from './service-state.ts'

export interface TroubleOptions {
  service: string
  client: Pick<Client, 'users'>
  state: Pick<ServiceState, 'ask' | 'met'>
  journal: Pick<Journal, 'projectMark' | 'changeMark'>
  /** An outage is told of when it lasts so long. */
  afterMs: number
  now: () => number
  log: Logger
}

export interface TroubleTold {
  /** What became of the service, one after the other. Never throws: what the store does not take is logged. */
  heard(condition: ServiceCondition): Promise<void>
  /** Takes up what was told of before a restart, during which it may have ended unseen. */
  resume(): Promise<void>
  /** False for an outage that is over, or that another process tells of. */
  isStill(told: Told): Promise<boolean>
  wasTold(told: Told): Promise<void>
}

type Trouble = Extract<Told, { kind: 'service_paused' }>['about']['is']
interface Mark {
  is: Trouble | 'fine'
  /** ISO 8601. */
  since: string
  reason?: string
  told: boolean
}

// Known to the journal as a mark of no project: ids begin at 1.
const noProject = 0
const markName = 'trouble'

/** `put` puts a notice in line, to be told after so many milliseconds. */
export function createTroubleTold(
  { service, client, state, journal, afterMs, now, log }: TroubleOptions,
  put: (told: Told, key: string, delayMs?: number) => Promise<void>,
): TroubleTold {
  let last: Promise<void> = Promise.resolve()

  const read = async () => parsed(await journal.projectMark(service, noProject, markName))
  const change = (to: (before: Mark | undefined) => Mark | undefined) =>
    journal.changeMark(service, noProject, markName, (before) => {
      const after = to(parsed(before))
      return after === undefined ? undefined : JSON.stringify(after)
    })

  async function begin(is: Trouble, since: string, reason: string): Promise<void> {
    await change((before) => (before?.is === is ? undefined : { is, since, reason, told: false }))
    await putPaused({ is, since, reason })
  }

  async function end(): Promise<void> {
    let was: Mark | undefined
    await change((before) => {
      was = before
      return before === undefined || before.is === 'fine' ? undefined : { is: 'fine', since: isoNow(), told: false }
    })
    if (was?.told) await putOver(was)
  }

  /** Of an outage that another process has noted before, nothing is told: its notice finds another beginning. */
  const putPaused = (about: { is: Trouble; since: string; reason: string }) =>
    put({ kind: 'service_paused', about }, `${about.is} ${about.since}`, afterMs)

  async function putOver({ is, since }: Pick<Mark, 'is' | 'since'>): Promise<void> {
    if (is !== 'fine') await put({ kind: 'service_works_again', about: { was: is, since } }, since)
  }

  const isoNow = () => new Date(now()).toISOString()

  function heard({ is, since, reason = '' }: ServiceCondition): Promise<void> {
    const does = () => (is === 'away' || is === 'token rejected' ? begin(is, new Date(since ?? now()).toISOString(), reason) : end())
    last = last.then(does).catch((error: unknown) => {
      log.error({ event: 'notice not taken', err: asError(error) }, 'the journal did not take what became of the service')
    })
    return last
  }

  return {
    heard,
    async resume() {
      const mark = await read()
      if (mark === undefined || mark.is === 'fine') return
      const { is, since, reason = '' } = mark
      // Whoever noted it may have ended before it was put in line.
      if (!mark.told) await putPaused({ is, since, reason })
      const found = await state.ask(client)
      if (found === 'fine') await heard({ is: 'fine' })
      else state.met(found, 0, 'as before the start')
    },
    async isStill(told) {
      if (told.kind !== 'service_paused') return true
      const mark = await read()
      return mark?.is === told.about.is && mark.since === told.about.since
    },
    async wasTold(told) {
      if (told.kind !== 'service_paused') return
      const { is, since } = told.about
      let isOver = false
      await change((before) => {
        isOver = before?.since !== since || before.is !== is
        return isOver || before === undefined ? undefined : { ...before, told: true }
      })
      // It ended while it was told of.
      if (isOver) await putOver({ is, since })
    },
  }
}

/** Only what is written here is read back. */
function parsed(text: string | undefined): Mark | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Mark)
}
