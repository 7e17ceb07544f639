// A repository's rule file is read once for each content: many evaluations share it (DESIGN §3, rule files by blob).
import { readRules } from '../rules/document.ts'
import { remembered } from '../rules/remembered.ts'

/** Contents whose rules are kept; a file has at most 256 KB. */
const most = 200

type ReadRules = ReturnType<typeof readRules>

const read = remembered<ReadRules>(most, (key) => {
  const [path, included, text] = JSON.parse(key) as [string, boolean, string]
  return readRules(text, path, { trust: 'repository', ...(included ? { included } : {}) })
})

/** As readRules, for a repository's own file or one that it includes. The result is shared: it is never changed. */
export function readRepositoryRules(text: string, path: string, { included = false }: { included?: boolean } = {}): ReadRules {
  return read(JSON.stringify([path, included, text]))
}
