// Joins the operator's files, the repository's file and its includes to a project's rules, from the journal's records.
import { createHash } from 'node:crypto'
import type { LimitFunction } from 'p-limit'
import type { StoredRuleFiles } from '../../journal/tables/rule-files.ts'
import type { RuleFileRecord } from '../../journal/types.ts'
import { formatProblem } from '../../rules/language/documents/rule-document.ts'
import { fitsProject } from '../../rules/language/patterns/patterns.ts'
import { policyFor, type ResolvedPolicy } from '../../rules/language/policy.ts'
import type { Include, RuleFileInForce } from '../../rules/types.ts'
import type { OperatorPolicy } from './operator-files.ts'
import type { FileText, RuleCache } from './read-rule-file.ts'

export const repositoryRulePath = '.bellhop.yml'

/** The rules that apply to one project's merge requests. */
export interface RulesInForce {
  files: RuleFileInForce[]
  policy: ResolvedPolicy
  /** Names branch and content of the repository's file and of its includes; empty if there is no file. */
  version: string
  /** What is wrong with the repository's file and its includes. */
  problems: string[]
  /** Read by this call, not remembered. */
  fresh: boolean
  /** The project's full path. */
  projectPath: string
}

/** What was read last, and from where. */
export interface RuleFileState extends RulesInForce {
  /** The branch of the repository's file. */
  branch: string
  /** ISO 8601. */
  readAt: string
}

/** A project's path as a delivery reports it. */
export interface ReportedPath {
  path: string
  /** ISO 8601. */
  at: string
}

/** `to`: a commit. `defaultBranch`: that of the project at the time. */
export interface StatedPush {
  branch: string
  to: string
  defaultBranch?: string | undefined
}

/** A project as the service answered. */
export interface ProjectAnswer {
  default_branch?: string | null | undefined
  path_with_namespace?: string | undefined
  web_url?: string | undefined
}

export interface RuleFiles {
  /**
   * At most 15 minutes old. Callers share one reading and its error, and continue in the order of their calls. Throws
   * what the client throws: an unreadable file is never "no rules". `reported`: where it differs from the path that was
   * read, and is newer, the rules are read again; `stored`: what the journal holds of the project, if just read.
   */
  inForce(
    project: number,
    options?: { reported?: ReportedPath; limitConcurrency?: LimitFunction; stored?: StoredRuleFiles },
  ): Promise<RulesInForce>
  /** As it was read last, however long ago; undefined if it never was. Costs no call. */
  known(project: number): Promise<RuleFileState | undefined>
  /** Reads the repository's file and its includes again. `answer`, `stored`: the project, its records, if just read. */
  refresh(project: number, answer?: ProjectAnswer, stored?: StoredRuleFiles): Promise<RulesInForce>
  /** The rules after a push, as a delivery says; undefined if that was to another branch than the default one. */
  afterPush(project: number, push: StatedPush): Promise<RulesInForce | undefined>
  /** What would be in force if the repository's file were this one (null: none). Stores nothing. */
  asIf(project: number, file: FileText | null): Promise<RulesInForce>
  /** What the project's file includes, as it was read last. Costs no call. */
  includes(project: number): Promise<Include[]>
  /** Changes when the operator's own files or policy do. */
  operatorVersion: string
  /** The files that it parsed. */
  cache: RuleCache
}

export interface OperatorRules {
  operatorFiles: readonly RuleFileInForce[]
  policy: OperatorPolicy
}

/** `included`: a record for each include; `protects`: the paths of the project's files that are rules elsewhere. */
export function rulesInForce(
  { read, ...operator }: OperatorRules & { read: RuleCache },
  own: RuleFileRecord,
  included: readonly RuleFileRecord[],
  { fresh, protects }: { fresh: boolean; protects: string[] },
): RulesInForce {
  const policy = policyOf(operator, own)
  const { projectPath = '' } = own
  const operators = operator.operatorFiles.filter(
    ({ rules: { projects } }) => projects === undefined || fitsProject(projects, projectPath),
  )
  const files = [own, ...included].map((record) => fileInForce(record, read)).filter((file) => file !== undefined)
  const includes = included.map(({ path, ref, blob }) => `${path} ${ref} ${blob}`)
  return {
    files: [...operators, ...files],
    policy: protects.length === 0 ? policy : { ...policy, protects },
    version: own.blob === null ? '' : [`${own.ref} ${own.blob}`, ...includes].join(' '),
    problems: [own, ...included].flatMap(({ problems }) => problems),
    fresh,
    projectPath,
  }
}

/** The policy of the project. Throws if it depends on the path, which the service does not say. */
export function policyOf({ operatorFiles, policy }: OperatorRules, own: RuleFileRecord): ResolvedPolicy {
  const { project, projectPath } = own
  const byPath = [...operatorFiles.map(({ rules }) => rules), ...policy.entries].some(
    (each) => each.projects !== undefined,
  )
  // Fails closed: without the path, the operator's files and policy cannot be selected.
  if (byPath && !projectPath) throw new Error(`the hosting service does not say the path of project ${project}`)
  return policyFor(projectPath ?? '', policy.entries, policy.defaults)
}

/** Changes with the operator's files and policy; empty without any. */
export function operatorVersion({ operatorFiles, policy }: OperatorRules): string {
  // Another chat changes no rule.
  const { chats: _chats, ...defaults } = policy.defaults
  if (operatorFiles.length === 0 && policy.entries.length === 0 && defaults.mode === 'act') return ''
  const content = JSON.stringify([operatorFiles.map(({ path, blob }) => [path, blob]), policy.entries, defaults])
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

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
function fileInForce(record: RuleFileRecord, read: RuleCache): RuleFileInForce | undefined {
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
