// Telling people: notices go through a lane of their own to the operator's web hook, each thing once, a storm as a summary.
import type { PostNotice } from '../client/post-notice.ts'
import { asError } from '../queue/errors.ts'
import type { JobHandler, Lane } from '../queue/types.ts'
import { type Counts, type Notice, noticeOf, type Told } from './notice.ts'
import { createTroubleTold, type TroubleOptions, type TroubleTold } from './trouble-told.ts'

export type NoticeJob = { is: 'notice'; notice: Notice & Told } | { is: 'summary' }

export interface TellingOptions extends TroubleOptions {
  notices: Lane<NoticeJob>
  /** Absent: nobody is told. */
  post?: PostNotice
}

export interface Telling {
  /** Tells of something, once for one `key` of its kind. Never throws: what cannot be put in line is logged, and the work goes on. */
  tell(told: Told, key: string): Promise<void>
  trouble: Pick<TroubleTold, 'heard' | 'resume'>
  handler: JobHandler<NoticeJob>
}

/** A receiver that is away for two hours loses nothing. */
export const noticeAttempts = 12
/** Of each kind; the others are counted, and a summary tells how many they were. */
export const noticesPerHour = 10

const hourMs = 60 * 60_000
// Known to the journal as a mark of no project: ids begin at 1.
const noProject = 0
const countsMark = 'notices'

interface Kept {
  hour: number
  told: Counts
  /** What only a summary will tell. */
  held: Counts
}

/** Over one service's lane of notices. */
export function createTelling(options: TellingOptions): Telling {
  const { service, journal, notices, post, now, log } = options

  async function put(told: Told, key: string, delayMs = 0): Promise<void> {
    if (post === undefined) return
    try {
      const notice = noticeOf(told, { key, service, at: new Date(now()).toISOString() })
      await notices.add({ id: notice.id, data: { is: 'notice', notice }, delayMs })
    } catch (error) {
      log.error({ event: 'notice not taken', kind: told.kind, err: asError(error) }, 'the queue did not take a notice')
    }
  }

  const change = (to: (before: Kept) => Kept) =>
    journal.changeMark(service, noProject, countsMark, (before) => JSON.stringify(to(parsed(before))))

  /** True while there is room in this hour's share of its kind; else it is counted for the summary. */
  async function mayTell(kind: Told['kind']): Promise<boolean> {
    const hour = Math.floor(now() / hourMs)
    let may = false
    await change((before) => {
      const told = before.hour === hour ? before.told : {}
      may = (told[kind] ?? 0) < noticesPerHour
      return may ? { ...before, hour, told: oneMore(told, kind) } : { hour, told, held: oneMore(before.held, kind) }
    })
    if (!may) await notices.add({ id: `summary-${hour}`, data: { is: 'summary' }, delayMs: (hour + 1) * hourMs - now() })
    return may
  }

  async function tellOne(notice: Notice & Told, attempt: number): Promise<void> {
    if (!(await trouble.isStill(notice))) return
    // Tried again, it has its place already.
    if (attempt === 1 && !(await mayTell(notice.kind))) return
    await send(notice)
    await trouble.wasTold(notice)
  }

  async function summarise(job: string): Promise<void> {
    const { held } = parsed(await journal.projectMark(service, noProject, countsMark))
    if (Object.keys(held).length === 0) return
    await send(noticeOf({ kind: 'more', about: { counts: held } }, { key: job, service, at: new Date(now()).toISOString() }))
    await change((before) => ({ ...before, held: without(before.held, held) }))
  }

  async function send(notice: Notice): Promise<void> {
    await post?.(notice.id, JSON.stringify(notice))
    log.info({ event: 'told', notice: notice.id, kind: notice.kind }, 'the operator was told')
  }

  const trouble = createTroubleTold(options, put)
  return {
    tell: (told, key) => put(told, key),
    trouble,
    handler: async ({ id, data, attempt }) => {
      if (data.is === 'summary') await summarise(id)
      else await tellOne(data.notice, attempt)
      return { outcome: 'done' }
    },
  }
}

/** Only what is written here is read back. */
function parsed(text: string | undefined): Kept {
  return text === undefined ? { hour: 0, told: {}, held: {} } : (JSON.parse(text) as Kept)
}

function oneMore(counts: Counts, kind: Told['kind']): Counts {
  return { ...counts, [kind]: (counts[kind] ?? 0) + 1 }
}

/** What came while they were told of stays. */
function without(counts: Counts, told: Counts): Counts {
  const kinds = Object.keys(counts) as Told['kind'][]
  return Object.fromEntries(kinds.map((kind) => [kind, (counts[kind] ?? 0) - (told[kind] ?? 0)] as const).filter(([, count]) => count > 0))
}
