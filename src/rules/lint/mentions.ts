// Finds the people and groups that a text mentions: `@alice` or `@group/sub-group` in Markdown, outside code.
import { markdownParser } from '../language/commands/paragraph-lines.ts'
import { fillPlaces } from '../language/templates.ts'

/** Replaces what is not plain text. */
const OTHER = '\uFFFC'
/** `@all` notifies all members. */
const EVERYBODY = 'all'

/** Each mention once, in order. A name that a fact completes is left out. */
export function mentionsOf(text: string): string[] {
  if (!text.includes('@')) return []
  const lines = markdownParser()
    .parse(
      fillPlaces(text, () => OTHER),
      {},
    )
    .flatMap(({ type, children }) => (type === 'inline' ? [(children ?? []).map(textOf).join('')] : []))
  const names = lines.flatMap((line) =>
    [...line.matchAll(/(?<![\w/\uFFFC])@(\w[\w./-]*)(?![\w./\uFFFC-])/g)].map(([, name = '']) =>
      name.replace(/[./-]+$/, ''),
    ),
  )
  return [...new Set(names)].filter((name) => name !== EVERYBODY)
}

function textOf({ type, content }: { type: string; content: string }): string {
  if (type === 'text') return content
  if (type.endsWith('break')) return '\n'
  // The marks of emphasis and links; their text follows.
  return /_(open|close)$/.test(type) ? '' : OTHER
}
