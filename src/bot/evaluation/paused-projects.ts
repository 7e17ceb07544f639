// Paused projects: their events are kept, and their merge requests are evaluated when they are resumed.
import type { Journal, PausedProject } from '../../journal/types.ts'
import type { JobHandler, JobQueue } from '../../queue/types.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import { type MergeRequestJob, mergeRequestKey } from './merge-request-job.ts'

export interface PausedProjects {
  list(): Promise<PausedProject[]>
  /** A project that is paused already keeps its first entry. */
  pause(paused: PausedProject): Promise<void>
  /** Queues what was held back; returns how many. Safe to repeat after a crash. */
  resume(project: number): Promise<number>
  /** Wraps the handler: holds back the jobs of paused projects. */
  unlessPaused(queue: JobQueue<MergeRequestJob>, handler: JobHandler<MergeRequestJob>): JobHandler<MergeRequestJob>
}

// Not a project: ids begin at 1.
const noProject = 0
const pausedMark = 'paused projects'

/** Shared by all processes through the journal. */
export function createPausedProjects(
  service: string,
  journal: Journal,
  queues: readonly JobQueue<MergeRequestJob>[],
): PausedProjects {
  const heldMark = (queue: JobQueue<MergeRequestJob>) => `held in ${queue.name}`
  const list = async () => parsed<PausedProject>(await journal.projectMark(service, noProject, pausedMark))
  const isPaused = async (of: number) => (await list()).some(({ project }) => project === of)

  /** Written before the second check: either resume finds the entry, or this sees the resume. */
  async function hold(queue: JobQueue<MergeRequestJob>, { project, iid }: MergeRequestRef): Promise<boolean> {
    if (!(await isPaused(project))) return false
    await journal.changeMark(service, project, heldMark(queue), (before) =>
      JSON.stringify([...new Set([...parsed<number>(before), iid])]),
    )
    return isPaused(project)
  }

  return {
    list,
    pause: (paused) =>
      journal.changeMark(service, noProject, pausedMark, (before) => {
        const others = parsed<PausedProject>(before)
        return others.some(({ project }) => project === paused.project)
          ? undefined
          : JSON.stringify([...others, paused])
      }),
    async resume(project) {
      await journal.changeMark(service, noProject, pausedMark, (before) =>
        JSON.stringify(parsed<PausedProject>(before).filter((each) => each.project !== project)),
      )
      const resumed = new Set<number>()
      for (const queue of queues) {
        const held = parsed<number>(await journal.projectMark(service, project, heldMark(queue)))
        for (const iid of held)
          await queue.add({
            data: { service, project, iid },
            deduplicationKey: mergeRequestKey({ service, project, iid }),
          })
        await journal.changeMark(service, project, heldMark(queue), (before) =>
          before === undefined
            ? undefined
            : JSON.stringify(parsed<number>(before).filter((iid) => !held.includes(iid))),
        )
        for (const iid of held) resumed.add(iid)
      }
      return resumed.size
    },
    unlessPaused: (queue, handler) => async (job) =>
      (await hold(queue, job.data)) ? { outcome: 'done' } : handler(job),
  }
}

function parsed<T>(text: string | undefined): T[] {
  return text === undefined ? [] : (JSON.parse(text) as T[])
}
