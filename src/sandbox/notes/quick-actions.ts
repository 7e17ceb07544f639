// Finds the quick actions in a note: lines such as `/label ~bug`, but not those in code, quotes and HTML (hosting-service.md §3.3).

export interface QuickAction {
  name: string
  argument: string
}

/** Lines of these names come out as quick actions; what is left is the text. A text without any stays as it is. */
export function readQuickActions(text: string, isKnown: (name: string) => boolean): { text: string; actions: QuickAction[] } {
  const lines = text.replaceAll('\r', '').split('\n')
  const actions: QuickAction[] = []
  const left: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const end = endOfBlock(lines, at)
    const action = end === at ? actionIn(lines[at] ?? '', isKnown) : undefined
    if (action === undefined) left.push(...lines.slice(at, end + 1))
    else actions.push(action)
    at = end
  }
  return actions.length === 0 ? { text, actions } : { text: left.join('\n').trim(), actions }
}

function actionIn(line: string, isKnown: (name: string) => boolean): QuickAction | undefined {
  const [, name, argument = ''] = /^\/([a-z_]+)(?: (.*))?$/i.exec(line.trimEnd()) ?? []
  return name !== undefined && isKnown(name.toLowerCase()) ? { name: name.toLowerCase(), argument: argument.trim() } : undefined
}

/** How a block begins, and how its last line looks; a fence that nothing closes goes on to the end, as in Markdown. */
const blocks: { begin: RegExp; end: (begin: RegExpExecArray) => RegExp; open: boolean }[] = [
  { begin: /^ {0,3}(`{3,})[^`]*$/, end: ([, fence]) => new RegExp(`^ {0,3}${fence}\`*\\s*$`), open: true },
  { begin: /^ {0,3}(~{3,})/, end: ([, fence]) => new RegExp(`^ {0,3}${fence}~*\\s*$`), open: true },
  { begin: /^>>>\s*$/, end: () => /^>>>\s*$/, open: false },
  { begin: /^`\s*$/, end: () => /^`\s*$/, open: false },
  { begin: /^<!--(?!.*-->)/, end: () => /-->/, open: true },
  { begin: /^<([a-z][a-z0-9]*)[^>]*>\s*$/i, end: ([, tag]) => new RegExp(`^</${tag}>\\s*$`, 'i'), open: false },
]

/** The index of the last line of the block that begins here, or of this line when none does. */
function endOfBlock(lines: readonly string[], start: number): number {
  for (const { begin, end, open } of blocks) {
    const begun = begin.exec(lines[start] ?? '')
    if (begun === null) continue
    const last = end(begun)
    const found = lines.findIndex((line, at) => at > start && last.test(line))
    if (found !== -1) return found
    if (open) return lines.length - 1
  }
  return start
}
