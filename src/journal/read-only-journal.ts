// The journal as a dry run sees it: it reads what is stored, and its own writes are dropped.
import type { Journal } from './journal.ts'

/** Reads as `journal` does. `marks.change` computes the new value and does not store it. */
export function readOnlyJournal(journal: Journal): Journal {
  const { marks, ruleFiles } = journal
  return {
    ...journal,
    ruleFiles: { ...ruleFiles, save: async () => undefined },
    marks: { ...marks, change: async (project, mark, to) => void to(await marks.read(project, mark)) },
  }
}
