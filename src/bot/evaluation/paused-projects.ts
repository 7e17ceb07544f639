// Paused projects: their events are kept, and their merge requests are evaluated when they are resumed.

import { wholeService } from '../../journal/tables/marks.ts'
import type { PausedProject } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation, type MergeRequestJob } from '../merge-request-job.ts'
import { jsonMark } from '../service/json-mark.ts'

export interface PausedProjects {
  list(): Promise<PausedProject[]>
  /** A project that is paused already keeps its first entry. */
  pause(paused: PausedProject): Promise<void>
  /** Queues what was held back; returns how many. Safe to repeat after a crash. */
  resume(project: number): Promise<number>
}

/** The mark of the whole service that names them. */
export const pausedProjectsMark = 'paused projects'

const isAmong = (paused: readonly PausedProject[] = [], of: number) => paused.some(({ project }) => project === of)
const pausedIn = ({ journal }: Context) => jsonMark<PausedProject[]>(journal, pausedProjectsMark)
const heldIn = ({ journal }: Context, { name }: JobQueue<MergeRequestJob>) =>
  jsonMark<number[]>(journal, `held in ${name}`)

/** The paused projects, for all processes. Throws JournalUnavailable. */
export async function listPaused(context: Context): Promise<PausedProject[]> {
  return (await pausedIn(context).read(wholeService)) ?? []
}

/**
 * Whether the project of a job is paused: then its job is queued again when it is resumed. `marks`: as an evaluation
 * loads them. Throws JournalUnavailable.
 */
export async function isHeldBack(
  context: Context,
  queue: JobQueue<MergeRequestJob>,
  { project, iid }: MergeRequestRef,
  marks: Record<string, unknown>,
): Promise<boolean> {
  if (!isAmong(marks[pausedProjectsMark] as PausedProject[] | undefined, project)) return false
  // Written before the second check: either resume finds the entry, or this sees the resume.
  await heldIn(context, queue).change(project, (before = []) => [...new Set([...before, iid])])
  return isAmong(await listPaused(context), project)
}

/** For operators. Shared by all processes through the journal. */
export function createPausedProjects(context: Context): PausedProjects {
  const { mergeRequests, ruleChanges } = context.queues
  return {
    list: () => listPaused(context),
    pause: (paused) =>
      pausedIn(context).change(wholeService, (before = []) =>
        before.some(({ project }) => project === paused.project) ? undefined : [...before, paused],
      ),
    async resume(project) {
      await pausedIn(context).change(wholeService, (before) => before?.filter((each) => each.project !== project))
      const resumed = new Set<number>()
      for (const queue of [mergeRequests, ruleChanges]) {
        const mark = heldIn(context, queue)
        const held = (await mark.read(project)) ?? []
        for (const iid of held) await enqueueEvaluation(queue, { project, iid })
        await mark.change(project, (before) => before?.filter((iid) => !held.includes(iid)))
        for (const iid of held) resumed.add(iid)
      }
      return resumed.size
    },
  }
}
