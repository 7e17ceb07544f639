// Paused projects: their merge requests are not judged, their events are kept, and what was held back is judged when they are resumed.
import type { Journal } from '../journal/types.ts'
import type { JobHandler, Lane } from '../queue/types.ts'
import type { MergeRequestRef } from '../rules/types.ts'
import { keyOf, type MergeRequestJob } from './merge-request-job.ts'

export interface PausedProject {
  project: number
  /** ISO 8601. */
  at: string
  by: string
  why?: string
}

export interface PausedProjects {
  list(): Promise<PausedProject[]>
  /** Paused once more, it stays as it was paused first. */
  pause(paused: PausedProject): Promise<void>
  /** Wakes what was held back; gives how many that were. Also of a project that is not paused: it ends what was broken off. */
  resume(project: number): Promise<number>
  /** The handler, for merge requests of projects that are not paused. */
  unlessPaused(lane: Lane<MergeRequestJob>, handler: JobHandler<MergeRequestJob>): JobHandler<MergeRequestJob>
}

// Known to the journal as a mark of no project: ids begin at 1.
const noProject = 0
const pausedMark = 'paused projects'

/** Over one service's lanes; all processes know of it at once. */
export function createPausedProjects(service: string, journal: Journal, lanes: readonly Lane<MergeRequestJob>[]): PausedProjects {
  const heldMark = (lane: Lane<MergeRequestJob>) => `held in ${lane.name}`
  const list = async () => parsed<PausedProject>(await journal.projectMark(service, noProject, pausedMark))
  const isPaused = async (of: number) => (await list()).some(({ project }) => project === of)

  /** Noted before it is looked at again: whoever resumes meanwhile finds the note, or is seen here. */
  async function hold(lane: Lane<MergeRequestJob>, { project, iid }: MergeRequestRef): Promise<boolean> {
    if (!(await isPaused(project))) return false
    await journal.changeMark(service, project, heldMark(lane), (before) => JSON.stringify([...new Set([...parsed<number>(before), iid])]))
    return isPaused(project)
  }

  return {
    list,
    pause: (paused) =>
      journal.changeMark(service, noProject, pausedMark, (before) => {
        const others = parsed<PausedProject>(before)
        return others.some(({ project }) => project === paused.project) ? undefined : JSON.stringify([...others, paused])
      }),
    async resume(project) {
      await journal.changeMark(service, noProject, pausedMark, (before) =>
        JSON.stringify(parsed<PausedProject>(before).filter((each) => each.project !== project)),
      )
      const woken = new Set<number>()
      for (const lane of lanes) {
        const held = parsed<number>(await journal.projectMark(service, project, heldMark(lane)))
        for (const iid of held) await lane.add({ data: { service, project, iid }, oneAtATime: keyOf({ service, project, iid }) })
        await journal.changeMark(service, project, heldMark(lane), (before) =>
          before === undefined ? undefined : JSON.stringify(parsed<number>(before).filter((iid) => !held.includes(iid))),
        )
        for (const iid of held) woken.add(iid)
      }
      return woken.size
    },
    unlessPaused: (lane, handler) => async (job) => ((await hold(lane, job.data)) ? { outcome: 'done' } : handler(job)),
  }
}

/** Only what is written here is read back. */
function parsed<T>(text: string | undefined): T[] {
  return text === undefined ? [] : (JSON.parse(text) as T[])
}
