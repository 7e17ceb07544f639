// Reads a rule file: YAML text becomes rules, or problems with line and column.

import { actions } from './actions/index.ts'
import { readCondition } from './conditions.ts'
import { fingerprint } from './fingerprint.ts'
import { actionNamed } from './plan.ts'
import { type Issue, isMap, type Path, refuseOtherKeys } from './shapes.ts'
import type { Condition, Problem, Rule, RuleAction, RuleFile, Trust } from './types.ts'
import { readYaml, type YamlText } from './yaml-text.ts'

export type { Problem, RuleFile } from './types.ts'

const MOST_RULES = 1000
const LONGEST_NAME = 100
const MOST_PROBLEMS = 100

/** `rules[2].then.accept.squash` */
function sayPath(path: Path): string {
  return path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`), '')
}

/** `.bellhop.yml:14:17: rules[2].then.accept.squash: expected true or false, found "yes"` */
export function formatProblem({ file, line, column, path, message }: Problem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`
}

function problemOf(file: string, yaml: YamlText, { path, at, expected, found, hint }: Issue): Problem {
  const said = found ?? yaml.found(path)
  const message = `expected ${expected}, found ${said}${hint === undefined ? '' : `; ${hint}`}`
  return { file, ...yaml.position(path, at), path: sayPath(path), expected, found: said, message }
}

function readName(value: unknown, path: Path, issues: Issue[]): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name is one line in logs, keys and comments
  if (typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME && !/[\u0000-\u001f\u007f]/.test(value)) return value
  issues.push({ path, at: 'value', expected: `a name of at most ${LONGEST_NAME} characters on one line` })
  return undefined
}

function readThen(value: unknown, path: Path, yaml: YamlText, issues: Issue[]): RuleAction[] {
  if (!isMap(value) || Object.keys(value).length === 0) {
    issues.push({ path, at: 'value', expected: 'a mapping with at least one action' })
    return []
  }
  refuseOtherKeys(value, Object.keys(actions), path, issues)
  return Object.keys(value).flatMap((name) => {
    const args = actionNamed(name)?.args.read(value[name], [...path, name], issues)
    return args === undefined ? [] : [{ action: name, args, line: yaml.position([...path, name], 'key').line }]
  })
}

function readRule(value: unknown, path: Path, yaml: YamlText, issues: Issue[]): Rule | undefined {
  if (!isMap(value)) {
    issues.push({ path, at: 'value', expected: 'a rule with name, if and then' })
    return undefined
  }
  const before = issues.length
  const allowed = ['name', 'if', 'then']
  refuseOtherKeys(value, allowed, path, issues)
  for (const key of allowed) {
    if (!Object.hasOwn(value, key)) issues.push({ path, at: 'value', expected: `the key "${key}"`, found: 'a rule without it' })
  }
  const part = <T>(key: string, read: (part: unknown, path: Path) => T): T | undefined =>
    Object.hasOwn(value, key) ? read(value[key], [...path, key]) : undefined
  const name = part('name', (each, at) => readName(each, at, issues))
  const condition: Condition | undefined = part('if', (each, at) => readCondition(each, at, issues))
  const wanted = part('then', (each, at) => readThen(each, at, yaml, issues))
  if (issues.length > before || name === undefined || condition === undefined || wanted === undefined) return undefined
  const mark = fingerprint({ if: condition, actions: wanted.map(({ action, args }) => ({ action, args })) })
  return { name, line: yaml.position(path, 'value').line, if: condition, actions: wanted, fingerprint: mark }
}

function refuseSameNames(rules: readonly unknown[], issues: Issue[]): void {
  const first = new Map<string, number>()
  for (const [index, rule] of rules.entries()) {
    const name = isMap(rule) ? rule.name : undefined
    if (typeof name !== 'string') continue
    const earlier = first.get(name)
    if (earlier === undefined) first.set(name, index)
    else
      issues.push({
        path: ['rules', index, 'name'],
        at: 'value',
        expected: 'a name of its own',
        found: `the name of rules[${earlier}], ${JSON.stringify(name)}`,
      })
  }
}

function readDocument(yaml: YamlText, issues: Issue[]): Rule[] {
  const { value } = yaml
  if (value === null || value === undefined) return []
  if (!isMap(value)) {
    issues.push({ path: [], at: 'value', expected: 'a mapping with version and rules' })
    return []
  }
  refuseOtherKeys(value, ['version', 'rules'], [], issues)
  if (Object.hasOwn(value, 'version') && value.version !== 1) issues.push({ path: ['version'], at: 'value', expected: 'the version 1' })
  if (!Object.hasOwn(value, 'rules')) {
    issues.push({ path: [], at: 'value', expected: 'the key "rules"', found: 'a mapping without it' })
    return []
  }
  const rules = value.rules ?? []
  if (!Array.isArray(rules) || rules.length > MOST_RULES) {
    const found = Array.isArray(rules) ? { found: `${rules.length} rules` } : {}
    issues.push({ path: ['rules'], at: 'value', expected: `a list of at most ${MOST_RULES} rules`, ...found })
    return []
  }
  refuseSameNames(rules, issues)
  return rules.flatMap((rule: unknown, index) => readRule(rule, ['rules', index], yaml, issues) ?? [])
}

/** Reads a rule file as a whole: all of its rules, or all of its problems in the order of the text. An empty file is no rules. */
export function readRules(
  text: string,
  file: string,
  _options: { trust: Trust },
): { ok: true; rules: RuleFile } | { ok: false; problems: Problem[] } {
  const read = readYaml(text)
  if (!read.ok) {
    return {
      ok: false,
      problems: read.problems
        .slice(0, MOST_PROBLEMS)
        .map((problem) => ({ ...problem, file, path: '', message: `expected ${problem.expected}, found ${problem.found}` })),
    }
  }
  const issues: Issue[] = []
  const rules = readDocument(read.yaml, issues)
  if (issues.length === 0) return { ok: true, rules: { file, rules } }
  const problems = issues.slice(0, MOST_PROBLEMS).map((issue) => problemOf(file, read.yaml, issue))
  return { ok: false, problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) }
}
