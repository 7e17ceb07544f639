// Reads a rule file: YAML text becomes rules, or problems with line and column.
import { actionNamed, actions } from '../../actions/index.ts'
import { factNamed } from '../../facts/index.ts'
import { argumentsExpression, commandConditions, readCommand, usageOf } from '../commands/comment-commands.ts'
import { type Definitions, factsIn, joined, readCondition, sizeOf } from '../conditions.ts'
import { readEvents } from '../events.ts'
import { groupsIn, usableGroups } from '../groups.ts'
import { modeShape } from '../policy.ts'
import { readQueues, refuseUnknownQueues } from '../queues.ts'
import { namesIn } from '../templates.ts'
import { fingerprint } from '../values/fingerprint.ts'
import type { Condition, Problem, ReadRules, Rule, RuleAction, RuleFile, Trust } from '../values/rule-types.ts'
import {
  type Issue,
  isMap,
  MOST_ISSUES,
  type Path,
  type ReadContext,
  refuse,
  refuseKey,
  refuseKeyOf,
  refuseOtherKeys,
} from '../values/shapes.ts'
import { type Synonyms, synonymsOf } from '../values/wording.ts'
import { readDocumentYaml, type YamlLimits, type YamlText } from '../yaml/yaml-text.ts'
import { type FileKind, headKeys, readHead } from './document-head.ts'
import { forShape, mixedFacts, refuseForeignParts, ruleSubject } from './rule-subject.ts'

export const MOST_RULES = 500
/** Anyone who can push can write a rule file: one that is too large is refused early (docs/decisions.md). */
export const ruleFileLimits = { entries: MOST_RULES, lexemes: 40_000 } as const satisfies YamlLimits
export const MOST_DEFINITIONS = 200
export const LONGEST_NAME = 100
export const MOST_CONDITIONS = 20_000

/** `rules[2].then.accept.squash` */
export function sayPath(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
}

/** `.bellhop.yml:14:17: rules[2].then.accept.squash: expected true or false, found "yes"` */
export function formatProblem({ file, line, column, path, message }: Problem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`
}

/** The issue with its position in the text. */
export function problemOf(file: string, yaml: YamlText, { path, at, expected, found, hint, near }: Issue): Problem {
  const actual = found ?? yaml.found(path)
  const message =
    near === undefined
      ? `expected ${expected}, found ${actual}${hint === undefined ? '' : `; ${hint}`}`
      : `did you mean ${near}? Found ${actual}, expected ${expected}`
  return { file, ...yaml.position(path, at ?? 'value'), path: sayPath(path), expected, found: actual, message }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a name is one line in logs, keys and comments
const controlCharacter = /[\u0000-\u001f\u007f]/

function readName(value: unknown, path: Path, issues: Issue[]): string | undefined {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME && !controlCharacter.test(value))
    return value
  return refuse(issues, { path, expected: `a name of at most ${LONGEST_NAME} characters on one line` })
}

interface Reader {
  yaml: YamlText
  issues: Issue[]
  defs: Definitions
}

function readThen(
  value: unknown,
  path: Path,
  { yaml, issues, context }: Omit<Reader, 'defs'> & { context: ReadContext },
): RuleAction[] {
  if (!isMap(value) || Object.keys(value).length === 0)
    return refuse(issues, { path, expected: 'a mapping with at least one action' }) ?? []
  refuseOtherKeys(value, Object.keys(actions), path, issues, { synonyms: () => synonymsOf(actions) })
  return Object.keys(value).flatMap((name) => {
    const action = actionNamed(name)
    if (action?.when === 'on_events' && !context.onEvents) refuseKeyOf('events', issues, [...path, name])
    if (action?.when === 'unmatched_too' && context.onEvents) refuseKeyOf('state', issues, [...path, name])
    const args = action?.args.read(value[name], [...path, name], issues, context)
    if (args === undefined) return []
    const fills = action?.template?.fillArgs !== undefined && namesIn(JSON.stringify(args)).length > 0
    const { line } = yaml.position([...path, name], 'key')
    return [{ action: name, args, line, fills: fills ? true : undefined }]
  })
}

const ruleKeys = ['name', 'for', 'mode', 'on', 'command', 'if', 'then']
const ruleSynonyms: Synonyms = Object.fromEntries([
  ['on', ['event', 'events', 'trigger']],
  ['if', ['when', 'conditions']],
  ['then', ['do', 'actions']],
])

function readRule(value: unknown, path: Path, { yaml, issues, defs }: Reader): Rule | undefined {
  if (!isMap(value)) return refuse(issues, { path, expected: 'a rule with name, if and then' })
  const before = issues.length
  refuseOtherKeys(value, ruleKeys, path, issues, { synonyms: () => ruleSynonyms })
  const waits = Object.hasOwn(value, 'on') || Object.hasOwn(value, 'command')
  for (const key of waits ? ['name', 'then'] : ['name', 'if', 'then']) {
    if (!Object.hasOwn(value, key)) issues.push({ path, expected: `the key "${key}"`, found: 'a rule without it' })
  }
  const part = <T>(key: string, read: (part: unknown, path: Path) => T): T | undefined =>
    Object.hasOwn(value, key) ? read(value[key], [...path, key]) : undefined
  const name = part('name', (each, at) => readName(each, at, issues))
  part('for', (each, at) => forShape.read(each, at, issues))
  const mode = part('mode', (each, at) => modeShape.read(each, at, issues))
  const events = part('on', (each, at) => readEvents(each, at, issues))
  const command = part('command', (each, at) => readCommand(each, at, issues))
  const condition = part('if', (each, at) => readCondition(each, at, issues, { defs, onEvents: waits }))
  const eventFact =
    waits || condition === undefined ? undefined : factsIn(condition).find((each) => factNamed(each)?.ofEvents === true)
  if (eventFact !== undefined)
    issues.push({
      path: [...path, 'if'],
      expected: `a rule with on:, where ${eventFact} is known`,
      found: `${eventFact} in a rule without on:`,
    })
  const line = command && argumentsExpression(command)
  const given = { defs, onEvents: true }
  const taken = line && readCondition({ command_line: { matches: line } }, [...path, 'command', 'takes'], issues, given)
  const conditions = [taken || [], condition ?? []].flat()
  // If the conditions have issues, their groups are unknown.
  const groups = condition !== undefined || !Object.hasOwn(value, 'if') ? groupsIn({ all: conditions }) : 'unread'
  const on = events ?? (command === undefined ? undefined : [{ kind: 'note.create' }])
  const subject = ruleSubject(value.for, on?.map(({ kind }) => kind) ?? [])
  const then = part('then', (each, at) =>
    readThen(each, at, { yaml, issues, context: { onEvents: waits, groups, subject } }),
  )
  if (command !== undefined && on?.some(({ kind }) => kind !== 'note.create') === true)
    issues.push({ path: [...path, 'on'], expected: 'note.create, for a rule with a command' })
  if (issues.length > before || name === undefined || then === undefined) return undefined
  refuseForeignParts({ actions: then, on, command: command?.word, if: condition }, { path, value, subject }, issues)
  if (issues.length > before) return undefined
  const needsMaintainer = then.some(({ action }) =>
    ['merge', 'maintainers'].includes(actionNamed(action)?.limited ?? ''),
  )
  const own = command === undefined ? [] : commandConditions(command, { needsMaintainer })
  const whole = joined([...own, ...conditions])
  const mark = fingerprint({
    ...(on === undefined ? {} : { on: on.map(({ kind, changed = [] }) => ({ kind, changed })) }),
    ...(subject === 'merge_request' ? {} : { for: subject }),
    if: whole,
    actions: then.map(({ action, args }) => ({ action, args })),
  })
  return {
    name,
    line: yaml.position(path, 'value').line,
    on,
    if: whole,
    groups: groups === 'unread' ? undefined : usableGroups(groups),
    actions: then,
    fingerprint: mark,
    mode,
    subject: subject === 'merge_request' ? undefined : subject,
    usage: command !== undefined && command.takes.length > 0 ? usageOf(command) : undefined,
  }
}

/** A definition may use those before it, so that there is no cycle. */
function readDefinitions(value: unknown, issues: Issue[]): Definitions {
  const defs = new Map<string, Condition>()
  if (value === undefined || value === null) return defs
  const expected = `a mapping of at most ${MOST_DEFINITIONS} names to conditions`
  if (!isMap(value) || Object.keys(value).length > MOST_DEFINITIONS)
    return refuse(issues, { path: ['defs'], expected }) ?? defs
  for (const [name, condition] of Object.entries(value)) {
    if (issues.length >= MOST_ISSUES) return defs
    const path = ['defs', name]
    if (!/^[A-Za-z][\w -]{0,59}$/.test(name)) {
      refuseKey(issues, path, 'a name of letters, digits, spaces, - and _', JSON.stringify(name))
      continue
    }
    const read = readCondition(condition, path, issues, { defs })
    const mixed = read === undefined ? undefined : mixedFacts(read)
    if (mixed !== undefined) refuseKey(issues, path, 'facts of merge requests, or facts of issues', mixed)
    if (read !== undefined) defs.set(name, read)
  }
  return defs
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
        expected: 'a name of its own',
        found: `the name of rules[${earlier}], ${JSON.stringify(name)}`,
      })
  }
}

function readDocument(yaml: YamlText, kind: FileKind, issues: Issue[]): Omit<RuleFile, 'file'> {
  const { value } = yaml
  if (!isMap(value)) return { rules: readRuleList(yaml, issues, new Map()) }
  const defs = readDefinitions(value.defs, issues)
  const head = readHead(value, kind, issues)
  const hasQueues = kind !== 'included' && Object.hasOwn(value, 'queues')
  const queues = hasQueues ? readQueues(value.queues, defs, issues, (path) => yaml.position(path, 'value')) : []
  if (Array.isArray(value.rules)) refuseUnknownQueues(value.rules, queues, issues)
  const rules = readRuleList(yaml, issues, defs)
  return { ...head, rules, queues: queues.length === 0 ? undefined : queues }
}

function readRuleList(yaml: YamlText, issues: Issue[], defs: Definitions): Rule[] {
  const { value } = yaml
  if (value === null || value === undefined) return []
  if (!isMap(value)) return refuse(issues, { path: [], expected: 'a mapping with version and rules' }) ?? []
  refuseOtherKeys(value, ['version', ...headKeys, 'defs', 'rules'], [], issues)
  if (Object.hasOwn(value, 'version') && value.version !== 1)
    issues.push({ path: ['version'], expected: 'the version 1' })
  // A file may have only includes.
  if (!Object.hasOwn(value, 'rules') && !Object.hasOwn(value, 'include'))
    return refuse(issues, { path: [], expected: 'the key "rules"', found: 'a mapping without it' }) ?? []
  const rules = value.rules ?? []
  if (!Array.isArray(rules))
    return refuse(issues, { path: ['rules'], expected: `a list of at most ${MOST_RULES} rules` }) ?? []
  refuseSameNames(rules, issues)
  const reader: Reader = { yaml, issues, defs }
  let conditions = 0
  return rules.flatMap((rule: unknown, index): Rule[] => {
    if (issues.length >= MOST_ISSUES) return []
    const read = readRule(rule, ['rules', index], reader)
    if (read === undefined) return []
    const before = conditions
    conditions += sizeOf(read.if, MOST_CONDITIONS)
    if (before <= MOST_CONDITIONS && conditions > MOST_CONDITIONS)
      issues.push({
        path: ['rules', index],
        expected: `at most ${MOST_CONDITIONS} conditions in a file, with those that use: stands for`,
        found: 'more of them',
      })
    return [read]
  })
}

/** All rules of the file, or all of its problems in the order of the text. An empty file has no rules. */
export function readRules(
  text: string,
  file: string,
  options: { trust: Trust; included?: boolean },
  read = readDocumentYaml(text, file, ruleFileLimits),
): ReadRules {
  if (!read.ok) return read
  const issues: Issue[] = []
  const document = readDocument(read.yaml, options.included === true ? 'included' : options.trust, issues)
  if (issues.length === 0) return { ok: true, rules: { file, ...document } }
  const problems = issues.slice(0, MOST_ISSUES).map((issue) => problemOf(file, read.yaml, issue))
  return { ok: false, problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) }
}
