// A mark of the journal that holds a JSON value, shared by all processes.
import type { Journal } from '../../journal/types.ts'

/** In place of a project, for marks of a whole service: project ids begin at 1. */
export const wholeService = 0

export interface JsonMark<T> {
  /** Undefined before the first change. Throws JournalUnavailable. */
  read(project: number): Promise<T | undefined>
  /** Atomic: `to` may run again on a conflict; undefined leaves the value as it is. Throws JournalUnavailable. */
  change(project: number, to: (before: T | undefined) => T | undefined): Promise<void>
}

export type MarkJournal = Pick<Journal, 'projectMark' | 'changeMark'>

/** `name` identifies the mark within the project. */
export function jsonMark<T>(journal: MarkJournal, name: string): JsonMark<T> {
  const parsed = (text: string | undefined) => (text === undefined ? undefined : (JSON.parse(text) as T))
  return {
    read: async (project) => parsed(await journal.projectMark(project, name)),
    change: (project, to) =>
      journal.changeMark(project, name, (before) => {
        const next = to(parsed(before))
        const text = next === undefined ? undefined : JSON.stringify(next)
        return text === before ? undefined : text
      }),
  }
}
