// Finds commands in the text of a note: `@bellhop merge` at the start of a line, outside code and quotes (DESIGN §4, Commands).

const LONGEST = 100_000

/** The words that follow the bot's name at the start of lines, in order, each once. */
export function commandsIn(text: string, username: string): string[] {
  const found: string[] = []
  let fence: string | undefined
  for (const line of text.slice(0, LONGEST).split('\n')) {
    const opening = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (opening?.startsWith(fence) === true && line.trim() === opening) fence = undefined
      continue
    }
    if (opening !== undefined) {
      fence = opening
      continue
    }
    const word = commandOf(line, username)
    if (word !== undefined && !found.includes(word)) found.push(word)
  }
  return found
}

/** Four spaces or a tab are code, `>` is a quote. */
function commandOf(line: string, username: string): string | undefined {
  const [, name, word] = /^ {0,3}@([A-Za-z0-9_.-]{1,255})[ \t]+([A-Za-z][A-Za-z0-9_-]{0,39})(?:[ \t\r.,!?].*|)$/.exec(line) ?? []
  return name?.toLowerCase() === username.toLowerCase() ? word?.toLowerCase() : undefined
}
