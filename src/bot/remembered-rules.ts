// The rules of this process's memory: of each version of a rule file what was read from it, which many evaluations share.
import type { ReadRules } from '../rules/types.ts'

/** Characters of the contents whose rules are kept, those asked for last: what was read takes 6 to 22 bytes for each, so 180 MB at most. */
const mostCharacters = 8_000_000

/** What `read` gives, once for each text; the key only finds it. The result is shared: it is never changed. */
export type RememberedRules = (key: string, text: string, read: () => Promise<ReadRules>) => Promise<ReadRules>

/** A memory that is empty. What could not be read is not remembered. */
export function rememberedRules(): RememberedRules {
  const kept = new Map<string, { text: string; read: Promise<ReadRules> }>()
  let characters = 0

  function forget(key: string): void {
    characters -= kept.get(key)?.text.length ?? 0
    kept.delete(key)
  }

  return (key, text, reading) => {
    const before = kept.get(key)
    forget(key)
    // The content itself counts: a key may name what the service says.
    const read = before?.text === text ? before.read : reading()
    kept.set(key, { text, read })
    characters += text.length
    for (const oldest of kept.keys()) {
      if (characters <= mostCharacters) break
      forget(oldest)
    }
    if (read !== before?.read)
      read.catch(() => {
        if (kept.get(key)?.read === read) forget(key)
      })
    return read
  }
}
