// The marks of a journal in memory, as JSON texts, as the journal stores them.
import type { Journal } from '../../src/journal/journal.ts'

/** The marks, by project and name. */
export function marksInMemory(texts = new Map<string, string>()): Journal['marks'] {
  const keyOf = (project: number, mark: string) => `${project} ${mark}`
  const parsedAt = (key: string) => JSON.parse(texts.get(key) ?? 'null') ?? undefined
  const store = (key: string, value: unknown) => void (value !== undefined && texts.set(key, JSON.stringify(value)))
  return {
    read: async (project, mark) => parsedAt(keyOf(project, mark)),
    write: async (project, mark, value) => store(keyOf(project, mark), value),
    change: async (project, mark, to) => store(keyOf(project, mark), to(parsedAt(keyOf(project, mark)))),
  }
}
