// A repository's rule file is read once for each content: many evaluations share it (DESIGN §3, rule files by blob).
import { readRules } from '../rules/document.ts'
import type { FileText } from './rule-file-reading.ts'

/** Characters of the contents whose rules are kept, those asked for last: what was read takes 6 to 22 bytes for each, so 180 MB at most. */
const mostCharacters = 8_000_000

type ReadRules = ReturnType<typeof readRules>

const kept = new Map<string, { text: string; read: ReadRules }>()
let characters = 0

/** As readRules, for a repository's own file or one that it includes. The result is shared: it is never changed. */
export function readRepositoryRules({ blob, text }: FileText, path: string, { included = false }: { included?: boolean } = {}): ReadRules {
  const key = `${blob} ${included} ${path}`
  const before = kept.get(key)
  if (before !== undefined) forget(key, before)
  // The content itself counts: the blob, which the service names, only finds it.
  const read = before?.text === text ? before.read : readRules(text, path, { trust: 'repository', ...(included ? { included } : {}) })
  kept.set(key, { text, read })
  characters += text.length
  for (const [oldest, each] of kept) {
    if (characters <= mostCharacters) break
    forget(oldest, each)
  }
  return read
}

function forget(key: string, { text }: { text: string }): void {
  kept.delete(key)
  characters -= text.length
}
