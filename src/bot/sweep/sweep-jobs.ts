// When a sweep runs: at the start, on a schedule, after deliveries were refused, and on request.
import { randomUUID } from 'node:crypto'
import { readSweep, saveSweep } from '../../journal/journal.ts'
import { wholeService } from '../../journal/tables/marks.ts'
import type { SweepRecord } from '../../journal/types.ts'
import { asError } from '../../queue/errors.ts'
import type { JobHandler } from '../../queue/types.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { count } from '../../rules/language/values/wording.ts'
import type { Context } from '../context.ts'
import { errorVerdict } from '../service/retry-policy.ts'
import { enqueueUnfinished } from './enqueue-unfinished.ts'
import { sweepAll, sweepNamed } from './sweep.ts'
import type { SweepJob, SweepReason } from './sweep-job.ts'
import { NothingToSweep } from './sweep-projects.ts'

export type SweepJobs = ReturnType<typeof createSweepJobs>

/** Attempts of one sweep; the schedule starts the next. */
export const sweepAttempts = 3

const refusedMark = 'deliveries_refused'

/** `context.queues.mergeRequests` gets what a sweep enqueues. */
export function createSweepJobs(context: Context) {
  const { client, journal, operator, service, now, log } = context
  const { sweeps } = context.queues

  /** Enqueues a sweep of everything unless one waits already. Throws QueueUnavailable. */
  async function enqueue(why: SweepReason): Promise<void> {
    await sweeps.add({ data: { is: 'sweep', why }, deduplicationKey: 'sweep' })
  }

  /** Requests a sweep of a project or group, by id or full path. Throws QueueUnavailable and JournalUnavailable. */
  async function request(of: string, dryRun: boolean): Promise<SweepRecord> {
    const askedAt = new Date(now()).toISOString()
    const record: SweepRecord = { id: randomUUID(), of, dryRun, state: 'waiting', askedAt, projects: [], calls: 0 }
    await saveSweep(journal, record)
    await sweeps.add({ data: { is: 'asked', id: record.id }, id: `asked-${record.id}` })
    return record
  }

  async function sweepEverything(why: SweepReason, addedAt: number): Promise<void> {
    const began = now()
    await enqueueUnfinished(context)
    // Sweeps again what was swept before deliveries were refused; but not at each tick: a long sweep would never end.
    const refusedAt = (await journal.marks.read<number>(wholeService, refusedMark)) ?? 0
    const askedAt = Math.max(addedAt, refusedAt)
    const { projects, left, calls, budgetLeft } = await sweepAll(context, askedAt)
    context.counting?.sweep({ why, failed: false, projects, left })
    const failed = projects.filter((each) => each.failed !== undefined)
    log.info(
      {
        event: 'sweep',
        why,
        projects: projects.length,
        looked: projects.reduce((sum, each) => sum + each.looked, 0),
        enqueued: projects.reduce((sum, each) => sum + each.enqueued.length, 0),
        calls,
        budgetLeft,
        left,
        failed: failed.slice(0, 20).map((each) => ({ project: refName(each), reason: each.failed })),
        tookMs: now() - began,
      },
      left === 0
        ? 'swept'
        : `swept as far as the budget went: ${count(left, 'project is', 'projects are')} left for the next sweep`,
    )
  }

  async function sweepRequested(id: string, attempt: number): Promise<void> {
    const stored = await readSweep(journal, id)
    // Records are deleted after a day.
    if (stored === undefined) return
    const { reason: _earlier, ...rest } = stored
    let record: SweepRecord = { ...rest, state: 'running' }
    const save = async (next: SweepRecord) => {
      record = next
      await saveSweep(journal, next)
    }
    const end = (state: 'done' | 'failed') => ({ state, endedAt: new Date(now()).toISOString() })
    const finish = async (last: SweepRecord) => {
      await save(last)
      const { state, projects } = last
      const left = projects.filter((each) => each.left).length
      context.counting?.sweep({ why: 'requested', failed: state === 'failed', projects, left })
    }
    await save(record)
    try {
      await finish({ ...(await sweepNamed(context, record, save)), ...end('done') })
    } catch (error) {
      const reason = asError(error).message
      if (error instanceof NothingToSweep) return finish({ ...record, ...end('failed'), reason })
      const over = await isOver(error, attempt)
      // It continues when the service answers again.
      if (over) await finish({ ...record, reason, ...end('failed') })
      else await save({ ...record, reason })
      throw error
    }
  }

  async function isOver(error: unknown, attempt: number): Promise<boolean> {
    const verdict = errorVerdict(error, operator.retryDelays).do
    if (verdict === 'give_up') return true
    if (attempt < sweepAttempts) return false
    // Away: the job is retried, whatever its attempt.
    return verdict === 'retry' || (verdict === 'ask' && (await service.state.check(client)) === 'fine')
  }

  const handler: JobHandler<SweepJob> = async ({ data, addedAt, attempt }) => {
    if (data.is === 'asked') await sweepRequested(data.id, attempt)
    else if (data.is === 'tick') await enqueue('schedule')
    else if (data.is === 'refused') {
      // Before the add, which may join a sweep that was queued before the deliveries were refused.
      await journal.marks.write(wholeService, refusedMark, data.until)
      await enqueue('deliveries_refused')
    } else await sweepEverything(data.why, addedAt)
    return { outcome: 'done' }
  }
  return {
    handler,
    enqueue,
    request,
    /** Sets or ends the schedule, one over all processes. Throws QueueUnavailable. */
    keepSchedule: (everyMs: number) => sweeps.schedule('tick', everyMs, { is: 'tick' }),
  }
}
