// Reads the operator's policy file: what the rules of projects may do.
import { person } from '../../actions/definition/people.ts'
import { actions } from '../../actions/index.ts'
import { branchPattern, projectPatterns } from '../patterns/patterns.ts'
import { modeShape, type PolicyEntry } from '../policy.ts'
import type { Problem } from '../values/rule-types.ts'
import { choice, fields, type Issue, listOf, type Shape, shape, whole } from '../values/shapes.ts'
import { readDocumentYaml } from '../yaml/yaml-text.ts'
import { problemOf } from './rule-document.ts'

const MOST_ENTRIES = 1000
const MOST_ABSENT = 1000
const names = Object.keys(actions)

const action = choice(names)
/** A list of actions, which may be empty. */
const actionList: Shape<string[]> = {
  ...listOf(action),
  expected: `a list of actions, or one of ${names.join(', ')}`,
  read: (value, path, issues) =>
    Array.isArray(value) && value.length === 0 ? [] : listOf(action).read(value, path, issues),
}

const entry = fields({
  projects: projectPatterns,
  mode: modeShape,
  repository_rules: fields({ allow: actionList, deny: actionList, merge_into: listOf(branchPattern) }),
  include_from: projectPatterns,
  issues: choice(['author', 'any']),
  groups: choice(['own', 'any']),
  absent: listOf(person, MOST_ABSENT),
  new_rule_limit: whole(0, 10_000),
})
const document = fields(
  { version: shape('the version 1', (value) => (value === 1 ? 1 : undefined)), policy: listOf(entry, MOST_ENTRIES) },
  ['policy'],
)

function entryOf(read: NonNullable<ReturnType<typeof entry.read>>): PolicyEntry {
  const { projects, mode, repository_rules, include_from, issues, groups, absent, new_rule_limit } = read
  const { allow, deny, merge_into } = repository_rules ?? {}
  const allows = allow ?? (deny === undefined ? undefined : names)
  return {
    projects,
    mode,
    allows: allows?.filter((name) => deny?.includes(name) !== true),
    mergesInto: merge_into,
    includeFrom: include_from,
    issues,
    groups,
    absent,
    newRuleLimit: new_rule_limit,
  }
}

/** The entries in their order, or all problems with line and column. An empty file is no policy. */
export function readPolicy(
  text: string,
  file: string,
): { ok: true; entries: PolicyEntry[] } | { ok: false; problems: Problem[] } {
  const read = readDocumentYaml(text, file)
  if (!read.ok) return read
  const { value } = read.yaml
  if (value === null || value === undefined) return { ok: true, entries: [] }
  const issues: Issue[] = []
  const whole = document.read(value, [], issues)
  if (whole?.policy !== undefined && issues.length === 0) return { ok: true, entries: whole.policy.map(entryOf) }
  return { ok: false, problems: issues.map((issue) => problemOf(file, read.yaml, issue)) }
}
