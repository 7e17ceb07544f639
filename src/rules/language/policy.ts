// The operator's policy: what the rules of a project may do, and the mode that a rule has by it.
import { fitsProject } from './patterns/patterns.ts'
import type { Mode, ProjectPolicy, Rule, RuleFileInForce } from './values/rule-types.ts'
import { choice } from './values/shapes.ts'

/** One entry of the policy file. For each key, the first entry for the project decides. */
export interface PolicyEntry extends Partial<Pick<ProjectPolicy, 'mode' | 'allows' | 'mergesInto' | 'absent'>> {
  /** Globs of full paths; absent: every project. */
  projects?: string[]
  /** The projects, as globs, whose files the repository may include. */
  includeFrom?: string[]
  issues?: 'author' | 'any'
  groups?: 'own' | 'any'
  /** How many limited actions new rules may do in an hour; 0 means no limit. */
  newRuleLimit?: number
}

export interface ResolvedPolicy extends ProjectPolicy {
  includeFrom: string[]
  newRuleLimit: number
}

/** The policy if no entry applies. */
export interface PolicyDefaults {
  mode: Mode
  newRuleLimit: number
  /** The operator's chats, each with the projects that may use it; absent if they are unknown. */
  chats?: readonly { name: string; projects?: string[] }[]
}

const strictness: Record<Mode, number> = { act: 0, observe: 1, off: 2 }

/** The mode that does less. */
export function stricter(one: Mode, other: Mode): Mode {
  return strictness[one] >= strictness[other] ? one : other
}

/** The policy of a project. An entry is never less strict than the mode of the installation. */
export function policyFor(fullPath: string, entries: readonly PolicyEntry[], defaults: PolicyDefaults): ResolvedPolicy {
  const own = entries.filter(({ projects }) => projects === undefined || fitsProject(projects, fullPath))
  const first = <K extends keyof PolicyEntry>(key: K): PolicyEntry[K] | undefined =>
    own.find((each) => each[key] !== undefined)?.[key]
  const chats = defaults.chats
    ?.filter(({ projects }) => projects === undefined || fitsProject(projects, fullPath))
    .map(({ name }) => name)
  return {
    mode: stricter(defaults.mode, first('mode') ?? 'act'),
    includeFrom: first('includeFrom') ?? [],
    newRuleLimit: first('newRuleLimit') ?? defaults.newRuleLimit,
    allows: first('allows'),
    mergesInto: first('mergesInto'),
    chats,
    groups: first('groups') === 'any' ? 'any' : undefined,
    absent: first('absent'),
    issues: first('issues') === 'any' ? 'any' : undefined,
  }
}

/** Why the file's rules may not use the action; undefined if they may. Withdrawals are always allowed. */
export function deniedBy(
  policy: ProjectPolicy | undefined,
  file: Pick<RuleFileInForce, 'trust'>,
  { name, limited }: { name: string; limited?: string },
): string | undefined {
  if (file.trust === 'operator' || limited === 'never' || policy?.allows === undefined || policy.allows.includes(name))
    return undefined
  return `the operator’s policy does not allow ${name} in the repository’s own rules`
}

export const modeShape = choice(['act', 'observe', 'off'] as const)

/** A rule may be more or less strict than its file, but never less strict than the policy. */
export function modeOf(
  rule: Pick<Rule, 'mode'>,
  file: Pick<RuleFileInForce, 'rules'>,
  policy: ProjectPolicy | undefined,
): Mode {
  return stricter(policy?.mode ?? 'act', rule.mode ?? file.rules.mode ?? 'act')
}
