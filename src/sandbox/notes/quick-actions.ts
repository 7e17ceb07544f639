// Finds quick actions such as `/label ~bug` in a note, outside of code, quotes and HTML (hosting-service.md §3.3).

export interface QuickAction {
  name: string
  argument: string
}

/** Removes the lines with actions; a text without any stays as it is. */
export function readQuickActions(
  text: string,
  isKnown: (name: string) => boolean,
): { text: string; actions: QuickAction[] } {
  const lines = text.replaceAll('\r', '').split('\n')
  const lastOf = lastLines(lines)
  const actions: QuickAction[] = []
  const left: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const end = endOfBlock(lines, at, lastOf)
    const action = end === at ? actionIn(lines[at] ?? '', isKnown) : undefined
    if (action === undefined) for (const line of lines.slice(at, end + 1)) left.push(line)
    else actions.push(action)
    at = end
  }
  return actions.length === 0 ? { text, actions } : { text: left.join('\n').trim(), actions }
}

function actionIn(line: string, isKnown: (name: string) => boolean): QuickAction | undefined {
  const [, name, argument = ''] = /^\/([a-z_]+)(?: (.*))?$/i.exec(line.trimEnd()) ?? []
  return name !== undefined && isKnown(name.toLowerCase())
    ? { name: name.toLowerCase(), argument: argument.trim() }
    : undefined
}

type LastLines = ReadonlyMap<string, number>

/** The last position of each line: shows whether a block is closed, in linear time. */
function lastLines(lines: readonly string[]): LastLines {
  return new Map(lines.map((line, at) => [line.trimEnd().toLowerCase(), at]))
}

function endOfBlock(lines: readonly string[], start: number, lastOf: LastLines) {
  const line = lines[start] ?? ''
  const fence = /^ {0,3}(`{3,})[^`]*$/.exec(line)?.[1] ?? /^ {0,3}(~{3,})/.exec(line)?.[1]
  // An unclosed block goes on to the end, as in Markdown.
  if (fence !== undefined) return firstAfter(lines, start, (each) => closesFence(each, fence)) ?? lines.length - 1
  if (/^<!--(?!.*-->)/.test(line)) return firstAfter(lines, start, (each) => each.includes('-->')) ?? lines.length - 1
  const end = endingOf(line.trimEnd())
  if (end === undefined || (lastOf.get(end) ?? -1) <= start) return start
  return firstAfter(lines, start, (each) => each.trimEnd().toLowerCase() === end) ?? start
}

function endingOf(line: string) {
  if (line === '>>>' || line === '`') return line
  const tag = /^<([a-z][a-z0-9]*)(?:\s[^>]*)?>$/i.exec(line)?.[1]
  return tag === undefined ? undefined : `</${tag.toLowerCase()}>`
}

function closesFence(line: string, fence: string) {
  const closing = line.trim()
  return closing.length >= fence.length && closing === fence.charAt(0).repeat(closing.length)
}

function firstAfter(lines: readonly string[], start: number, isEnd: (line: string) => boolean) {
  for (let at = start + 1; at < lines.length; at += 1) if (isEnd(lines[at] ?? '')) return at
  return undefined
}
