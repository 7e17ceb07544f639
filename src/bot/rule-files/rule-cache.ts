// Parses each version of a repository's rule file once per process, and caches the most recently used results.
import { LRUCache } from 'lru-cache'
import { readRules } from '../../rules/language/documents/rule-document.ts'
import type { ReadRules } from '../../rules/types.ts'
import type { FileText } from './read-rule-file.ts'

/** Characters of the texts whose rules are cached. Parsed rules take 6 to 22 bytes per character: 180 MB at most. */
const mostCharacters = 8_000_000

/** The rules or problems of a repository's own or an included file. Callers share the result: do not change it. */
export type RuleCache = (file: FileText, as: { path: string; included?: boolean }) => ReadRules

/** An empty cache. */
export function createRuleCache(): RuleCache {
  const cache = new LRUCache<string, { text: string; rules: ReadRules }>({
    maxSize: mostCharacters,
    sizeCalculation: ({ text }) => text.length + 1,
  })
  return ({ blob, text }, { path, included = false }) => {
    const key = `${blob} ${included} ${path}`
    const cached = cache.get(key)
    // Compares the text too: the service names the blob, and could name another file's.
    if (cached?.text === text) return cached.rules
    const rules = readRules(text, path, { trust: 'repository', ...(included ? { included } : {}) })
    cache.set(key, { text, rules })
    return rules
  }
}
