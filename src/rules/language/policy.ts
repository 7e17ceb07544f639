// What the operator lets the rules of a project do, and which of a rule's actions that denies (DESIGN §4, Policy).
import { fitsProject } from './patterns/project-patterns.ts'
import type { Mode, ProjectPolicy, RuleFileInForce } from './values/rule-types.ts'

/** One entry of the policy file: for each of its keys, the first entry that is for a project decides. */
export interface PolicyEntry {
  /** Globs of full paths; absent: every project. */
  projects?: string[]
  mode?: Mode
  allows?: string[]
  mergesInto?: string[]
  /** The projects, as globs, whose files the repository may include. */
  includeFrom?: string[]
  /** `any`: rules may use issues that the author of the merge request may not see. */
  issues?: 'author' | 'any'
  /** How many of the new-rule limitd actions new rules may do in an hour; 0: as many as they like. */
  newRuleLimit?: number
}

/** The policy for one project. */
export interface ResolvedPolicy extends ProjectPolicy {
  includeFrom: string[]
  newRuleLimit: number
}

/** The policy where no entry applies. */
export interface PolicyDefaults {
  mode: Mode
  newRuleLimit: number
}

const strictness: Record<Mode, number> = { act: 0, observe: 1, off: 2 }

/** The mode that does less. */
export function stricter(one: Mode, other: Mode): Mode {
  return strictness[one] >= strictness[other] ? one : other
}

/** The policy of one project, by its full path. An entry never loosens the mode that the whole installation runs in. */
export function policyFor(fullPath: string, entries: readonly PolicyEntry[], defaults: PolicyDefaults): ResolvedPolicy {
  const own = entries.filter(({ projects }) => projects === undefined || fitsProject(projects, fullPath))
  const first = <K extends keyof PolicyEntry>(key: K): PolicyEntry[K] | undefined =>
    own.find((each) => each[key] !== undefined)?.[key]
  const [allows, mergesInto] = [first('allows'), first('mergesInto')]
  return {
    mode: stricter(defaults.mode, first('mode') ?? 'act'),
    includeFrom: first('includeFrom') ?? [],
    newRuleLimit: first('newRuleLimit') ?? defaults.newRuleLimit,
    ...(allows === undefined ? {} : { allows }),
    ...(mergesInto === undefined ? {} : { mergesInto }),
    ...(first('issues') === 'any' ? { issues: 'any' as const } : {}),
  }
}

/** Why the file's rules may not use the action; undefined where they may. What takes back an approval or a merge is always allowed. */
export function deniedBy(
  policy: ProjectPolicy | undefined,
  file: Pick<RuleFileInForce, 'trust'>,
  { name, withdraws }: { name: string; withdraws?: true },
): string | undefined {
  if (file.trust === 'operator' || withdraws === true || policy?.allows === undefined || policy.allows.includes(name))
    return undefined
  return `the operator’s policy does not allow ${name} in the repository’s own rules`
}
