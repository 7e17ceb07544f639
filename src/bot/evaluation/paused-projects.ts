// Paused projects: their events stay pending, and their merge requests are evaluated when they are resumed.

import { wholeService } from '../../journal/tables/marks.ts'
import type { PausedProject } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation, type MergeRequestJob } from '../queues.ts'

/** The mark of the whole service that names them. */
export const pausedProjectsMark = 'paused projects'

const isAmong = (paused: readonly PausedProject[] = [], of: number) => paused.some(({ project }) => project === of)
/** The mark of a project that names the merge requests whose jobs were held back. */
const heldMark = ({ name }: JobQueue<MergeRequestJob>) => `held in ${name}`

/** The paused projects, for all processes. Throws JournalUnavailable. */
export async function listPaused({ journal }: Context): Promise<PausedProject[]> {
  return (await journal.marks.read(wholeService, pausedProjectsMark)) ?? []
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
  const hold = (before: number[] = []) => [...new Set([...before, iid])]
  await context.journal.marks.change(project, heldMark(queue), hold)
  return isAmong(await listPaused(context), project)
}

/** For operators. Shared by all processes through the journal. */
export function createPausedProjects(context: Context) {
  const { mergeRequests, ruleChanges } = context.queues
  const { marks } = context.journal
  const changePaused = (to: (before?: PausedProject[]) => PausedProject[] | undefined) =>
    marks.change(wholeService, pausedProjectsMark, to)
  return {
    list: () => listPaused(context),
    /** A project that is paused already keeps its first entry. */
    pause: (paused: PausedProject): Promise<void> =>
      changePaused((before = []) => (isAmong(before, paused.project) ? undefined : [...before, paused])),
    /** Queues what was held back; returns how many. Safe to repeat after a crash. */
    async resume(project: number): Promise<number> {
      await changePaused((before) => before?.filter((each) => each.project !== project))
      const resumed = new Set<number>()
      for (const queue of [mergeRequests, ruleChanges]) {
        const held = (await marks.read<number[]>(project, heldMark(queue))) ?? []
        for (const iid of held) await enqueueEvaluation(queue, { project, iid })
        const withoutThese = (before?: number[]) => before?.filter((iid) => !held.includes(iid))
        await marks.change(project, heldMark(queue), withoutThese)
        for (const iid of held) resumed.add(iid)
      }
      return resumed.size
    },
  }
}
