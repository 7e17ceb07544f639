// A mark of the journal that holds a JSON value, shared by all processes.
import type { Journal } from '../../journal/types.ts'

export interface JsonMark<T> {
  /** Undefined before the first change. Throws JournalUnavailable. */
  read(project: number): Promise<T | undefined>
  /** Atomic: `to` may run again on a conflict; undefined leaves the value as it is. Throws JournalUnavailable. */
  change(project: number, to: (before: T | undefined) => T | undefined): Promise<void>
}

/** `name` identifies the mark within the project. */
export function jsonMark<T>({ marks }: Journal, name: string): JsonMark<T> {
  return {
    read: (project) => marks.read(project, name),
    change: (project, to) => marks.change(project, name, to),
  }
}
