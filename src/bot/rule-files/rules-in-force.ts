// Joins the operator's files, the repository's file and its includes to a project's rules.
import { createHash } from 'node:crypto'
import type { RuleFileRecord } from '../../journal/types.ts'
import { fitsProject } from '../../rules/language/patterns/project-patterns.ts'
import { policyFor, type ResolvedPolicy } from '../../rules/language/policy.ts'
import type { RuleFileInForce } from '../../rules/types.ts'
import type { OperatorPolicy } from './policy-file.ts'
import type { RuleCache } from './rule-cache.ts'
import { fileInForce } from './rule-records.ts'

/** The rules that apply to one project's merge requests. */
export interface RulesInForce {
  files: RuleFileInForce[]
  policy: ResolvedPolicy
  /** Names branch and content of the repository's file and of its includes; empty where there is no file. */
  version: string
  /** What is wrong with the repository's file and its includes. */
  problems: string[]
  /** Read by this call, not remembered. */
  fresh: boolean
  /** The project's full path. */
  projectPath: string
}

/** The repository's file, and one record for each include of its version in force. */
export interface ProjectRecords {
  own: RuleFileRecord
  included: RuleFileRecord[]
}

export interface OperatorRules {
  operatorFiles: readonly RuleFileInForce[]
  policy: OperatorPolicy
}

/** `protects`: the paths of the project's files that are rules elsewhere. */
export function rulesInForce(
  operator: OperatorRules,
  { own, included }: ProjectRecords,
  { read, fresh, protects }: { read: RuleCache; fresh: boolean; protects: string[] },
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

/** The policy of the project. Throws where it depends on the path, which the service does not say. */
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
