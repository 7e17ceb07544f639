// Paused projects: their events are kept, and their merge requests are evaluated when they are resumed.

import { wholeService } from '../../journal/tables/marks.ts'
import type { Journal, PausedProject } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import { jsonMark } from '../service/json-mark.ts'
import { enqueueEvaluation, type MergeRequestJob } from './merge-request-job.ts'

export interface PausedProjects {
  list(): Promise<PausedProject[]>
  /** A project that is paused already keeps its first entry. */
  pause(paused: PausedProject): Promise<void>
  /** Queues what was held back; returns how many. Safe to repeat after a crash. */
  resume(project: number): Promise<number>
  /** Whether its project is paused: then its job is queued again when it is resumed. `marks`: as an evaluation loads them. */
  holds(queue: JobQueue<MergeRequestJob>, job: MergeRequestRef, marks: Record<string, unknown>): Promise<boolean>
}

/** The mark of the whole service that names them. */
export const pausedProjectsMark = 'paused projects'

const isAmong = (paused: readonly PausedProject[] = [], of: number) => paused.some(({ project }) => project === of)

/** Shared by all processes through the journal. */
export function createPausedProjects(journal: Journal, queues: readonly JobQueue<MergeRequestJob>[]): PausedProjects {
  const pausedMark = jsonMark<PausedProject[]>(journal, pausedProjectsMark)
  const heldIn = ({ name }: JobQueue<MergeRequestJob>) => jsonMark<number[]>(journal, `held in ${name}`)
  const list = async () => (await pausedMark.read(wholeService)) ?? []
  return {
    list,
    pause: (paused) =>
      pausedMark.change(wholeService, (before = []) =>
        before.some(({ project }) => project === paused.project) ? undefined : [...before, paused],
      ),
    async resume(project) {
      await pausedMark.change(wholeService, (before) => before?.filter((each) => each.project !== project))
      const resumed = new Set<number>()
      for (const queue of queues) {
        const mark = heldIn(queue)
        const held = (await mark.read(project)) ?? []
        for (const iid of held) await enqueueEvaluation(queue, { project, iid })
        await mark.change(project, (before) => before?.filter((iid) => !held.includes(iid)))
        for (const iid of held) resumed.add(iid)
      }
      return resumed.size
    },
    async holds(queue, { project, iid }, marks) {
      if (!isAmong(marks[pausedProjectsMark] as PausedProject[] | undefined, project)) return false
      // Written before the second check: either resume finds the entry, or this sees the resume.
      await heldIn(queue).change(project, (before = []) => [...new Set([...before, iid])])
      return isAmong(await list(), project)
    },
  }
}
