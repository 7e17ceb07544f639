// The journal's record of a rule file: made from its text, and read as a file in force.
import type { RuleFileRecord } from '../../journal/types.ts'
import { formatProblem } from '../../rules/language/documents/rule-document.ts'
import type { Include, RuleFileInForce } from '../../rules/types.ts'
import type { FileText } from './read-rule-file.ts'
import type { RuleCache } from './rule-cache.ts'

export const repositoryRulePath = '.bellhop.yml'

/** The record of a repository's file, or of none (null). A broken file keeps its last good version. */
export function recordWithText(
  base: Omit<RuleFileRecord, 'blob' | 'text' | 'problems' | 'good'>,
  file: FileText | null,
  lastGood: FileText | null,
  read: RuleCache,
): RuleFileRecord {
  if (file === null) return { ...base, blob: null, text: null, problems: [], good: null }
  const document = read(file, { path: repositoryRulePath })
  if (document.ok) return { ...base, ...file, problems: [], good: file }
  return { ...base, ...file, problems: document.problems.map(formatProblem), good: lastGood }
}

/** What the version in force includes. */
export function includesOf({ good, path }: RuleFileRecord, read: RuleCache): Include[] {
  const document = good === null ? undefined : read(good, { path })
  return document?.ok === true ? (document.rules.include ?? []) : []
}

/** The last good version, marked as broken while the newest one is; undefined if there is no file. */
export function fileInForce(record: RuleFileRecord, read: RuleCache): RuleFileInForce | undefined {
  const { path, blob, commit, problems, good, origin } = record
  if (blob === null && problems.length === 0) return undefined
  const included = origin !== undefined || path !== repositoryRulePath
  const base = { path, trust: 'repository' as const, origin }
  const document = good === null ? undefined : read(good, { path, included })
  // No good version that can be read. Fails closed: `broken` stops merges by the rules of other files too.
  if (good === null || document?.ok !== true) return { ...base, rules: { file: path, rules: [] }, blob, broken: true }
  const broken = problems.length > 0
  const at = broken || commit === undefined ? {} : { commit }
  return { ...base, rules: document.rules, blob: good.blob, ...at, broken }
}
