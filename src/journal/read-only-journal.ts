// The journal as a dry run sees it: it reads what is stored, and its own writes are dropped.
import type { Journal } from './types.ts'

export type ReadOnlyJournal = Pick<
  Journal,
  | 'memory'
  | 'pendingEvents'
  | 'projectMark'
  | 'changeMark'
  | 'mergeQueue'
  | 'mergeQueueEntry'
  | 'mergeQueueEntries'
  | 'pushes'
  | 'ruleFile'
  | 'saveRuleFile'
>

/** Reads as `journal` does. `changeMark` computes the new value and does not store it. */
export function readOnlyJournal(journal: Journal): ReadOnlyJournal {
  const { memory, mergeQueue, mergeQueueEntry, mergeQueueEntries, pendingEvents, projectMark, pushes, ruleFile } =
    journal
  return {
    memory,
    mergeQueue,
    mergeQueueEntry,
    mergeQueueEntries,
    pendingEvents,
    projectMark,
    pushes,
    ruleFile,
    saveRuleFile: async () => undefined,
    changeMark: async (project, mark, to) => void to(await projectMark(project, mark)),
  }
}
