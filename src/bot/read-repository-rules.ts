// A repository's rule file is read once for each content, by one process for all (DESIGN §3, rule files by blob).
import { readRules } from '../rules/document.ts'
import type { ReadRules } from '../rules/types.ts'
import type { Counting } from './counting.ts'
import type { RememberedRules } from './remembered-rules.ts'
import type { FileText } from './rule-file-reading.ts'
import type { RuleForms } from './rule-forms.ts'

/** Where a file is read, and how. */
export interface ReadAs {
  project: number
  path: string
  included?: boolean
  /** False: it is not kept for other processes. */
  keep?: boolean
}

/** As readRules, for a repository's own file or one that it includes. The result is shared: it is never changed. Throws what the journal throws. */
export type ReadRepositoryRules = (file: FileText, as: ReadAs) => Promise<ReadRules>

export interface ReadRepositoryRulesOptions {
  remembered: RememberedRules
  /** Absent: each process reads for itself. */
  forms?: RuleForms | undefined
  counting?: Pick<Counting, 'rulesRead'> | undefined
}

/** Asks the memory of this process first, then what other processes have read, and reads the text last. */
export function createReadRepositoryRules({ remembered, forms, counting }: ReadRepositoryRulesOptions): ReadRepositoryRules {
  return ({ blob, text }, { project, path, included = false, keep = true }) =>
    remembered(`${blob} ${included} ${path}`, text, async () => {
      const version = { project, path, text, included }
      const found = await forms?.find(version)
      counting?.rulesRead(found === undefined ? 'text' : 'form')
      if (found !== undefined) return found
      const read = readRules(text, path, { trust: 'repository', ...(included ? { included } : {}) })
      if (keep) await forms?.keep(version, read)
      return read
    })
}
