// Finds commands in the text of a note: `@bellhop merge` at the start of a line of a top-level paragraph.
// The fact `command` (facts/event.ts) decides who may give them.
import { paragraphLines } from './paragraph-lines.ts'

/** Longer notes are not searched: their Markdown would take too long to parse. */
export const LONGEST_NOTE = 4_000

/** The words that follow the bot's name at the start of lines, in order, each once. */
export function commandsIn(text: string, username: string): string[] {
  // Most notes mention no bot and are not parsed.
  if (
    text.length > LONGEST_NOTE ||
    !/^[ \t]*@/m.test(text) ||
    !text.toLowerCase().includes(`@${username.toLowerCase()}`)
  )
    return []
  const found = paragraphLines(text).map((line) => commandOf(line, username))
  return [...new Set(found.filter((word) => word !== undefined))]
}

function commandOf(line: string, username: string): string | undefined {
  const [, name, word] =
    /^@([A-Za-z0-9_.-]{1,255})[ \t]+([A-Za-z][A-Za-z0-9_-]{0,39})(?:[ \t.,!?].*|)$/.exec(line) ?? []
  return name?.toLowerCase() === username.toLowerCase() ? word?.toLowerCase() : undefined
}
