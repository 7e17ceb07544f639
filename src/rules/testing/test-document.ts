// Reads a file of rule tests: YAML text becomes tests, or problems with line and column.
import { endpointsByName } from '../../api/index.ts'
import { mergeQueueCalls } from '../actions/definition/queued-merge.ts'
import { actionNamed, actions } from '../actions/index.ts'
import { factOwners, isFactOf } from '../facts/definition/fact.ts'
import { factNamed, facts } from '../facts/index.ts'
import { problemOf } from '../language/documents/rule-document.ts'
import { forShape, ruleSubject } from '../language/documents/rule-subject.ts'
import { eventKinds } from '../language/events.ts'
import { level } from '../language/operators/fact-types.ts'
import type { Json, Problem, Subject } from '../language/values/rule-types.ts'
import {
  choice,
  type Issue,
  isMap,
  listOf,
  type Path,
  refuse,
  refuseKey,
  refuseOtherKeys,
  text,
} from '../language/values/shapes.ts'
import { synonymsOf } from '../language/values/wording.ts'
import { readDocumentYaml, type YamlText } from '../language/yaml/yaml-text.ts'
import { readService, serviceKeys } from './given-service.ts'
import { readMoment, readValue } from './overrides.ts'
import type { ExpectedCall, GivenState, RuleTest, TestEvent } from './test-types.ts'

interface Reader {
  yaml: YamlText
  issues: Issue[]
}

const MOST_TESTS = 1000
const kinds = eventKinds.filter((kind) => !kind.endsWith('*'))
const eventKeys = ['event', 'actor', 'actor_access', 'comment', 'changed_fields', 'ref', 'ref_change', 'delivery']
const refChange = choice(['created', 'updated', 'deleted'] as const)
const expectations = ['then', 'includes', 'nothing', 'calls'] as const
const testKeys = ['name', 'rule', 'for', 'before', 'given', ...eventKeys, ...expectations, 'blocker']
const givenNames = Object.keys(facts).filter((name) => factNamed(name)?.ofEvents !== true)
const name = text(200, 'a text of at most 200 characters')
const plainText = text(10_000)

function readGiven(value: unknown, path: Path, subject: Subject, issues: Issue[]): GivenState {
  const given: GivenState = { facts: {} }
  if (value === undefined || value === null) return given
  if (!isMap(value)) return refuse(issues, { path, expected: 'a mapping of facts to values' }) ?? given
  const service = readService(value, path, issues)
  if (service !== undefined) given.service = service
  refuseOtherKeys(value, [...givenNames, ...serviceKeys], path, issues, {
    expected: 'the name of a fact',
    synonyms: () => synonymsOf(facts),
  })
  for (const [each, said] of Object.entries(value)) {
    const fact = givenNames.includes(each) ? factNamed(each) : undefined
    if (fact === undefined) continue
    if (!isFactOf(fact, subject))
      refuseKey(
        issues,
        [...path, each],
        `a fact of ${factOwners[subject]}${subject === 'merge_request' ? ', or a test with for: issues' : ''}`,
        each,
      )
    const read = readValue(fact, said, [...path, each], issues)
    const moment = fact.type.name === 'clock' ? readMoment(said) : undefined
    if (moment !== undefined) given.now = moment
    else if (read !== undefined) given.facts[each] = read
  }
  return given
}

function readBefore(value: unknown, path: Path, subject: Subject, issues: Issue[]): GivenState[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.length <= 20)
    return value.map((each, index) => readGiven(each, [...path, index], subject, issues))
  const expected = 'a list of at most 20 earlier states, each a mapping of facts to values'
  return refuse(issues, { path, expected }) ?? []
}

function readEvent(test: Record<string, unknown>, path: Path, issues: Issue[]): TestEvent | undefined {
  const own = eventKeys.filter((key) => Object.hasOwn(test, key))
  const [first] = own
  if (first === undefined) return undefined
  if (test.event === undefined && test.delivery === undefined)
    return refuseKey(issues, [...path, first], 'an event next to it', `${first} without event`)
  const part = <T extends Json>(
    key: string,
    shape: { read(value: unknown, path: Path, issues: Issue[]): T | undefined },
  ) => (Object.hasOwn(test, key) ? shape.read(test[key], [...path, key], issues) : undefined)
  const [actor, comment] = [part('actor', name), part('comment', plainText)]
  const access = part('actor_access', choice(level.values ?? []))
  const changed = part('changed_fields', listOf(name))
  const [ref, change] = [part('ref', name), part('ref_change', refChange)]
  const kind = test.event === undefined ? '' : part('event', choice(kinds))
  if (comment !== undefined && kind !== undefined && !/^(note\.|$)/.test(kind))
    refuseKey(issues, [...path, 'comment'], 'a comment only for a note', `a comment for ${kind}`)
  if (kind === undefined) return undefined
  return { kind, access: access ?? 'developer', changed: changed ?? [], actor, comment, ref, refChange: change }
}

/** Each action with its arguments as a rule writes them; a list for actions with a request for each rule. */
function readThen(value: unknown, path: Path, context: { onEvents: boolean; subject: Subject }, issues: Issue[]) {
  const expected = 'a mapping with at least one action; where nothing must be done, nothing: true'
  if (!isMap(value) || Object.keys(value).length === 0) return refuse(issues, { path, expected }) ?? []
  refuseOtherKeys(value, Object.keys(actions), path, issues, { synonyms: () => synonymsOf(actions) })
  const rules: { action: string; args: Json }[][] = [[]]
  for (const each of Object.keys(value)) {
    const action = actionNamed(each)
    if (action === undefined) continue
    if (action.when === 'on_events' && !context.onEvents)
      refuseKey(issues, [...path, each], 'an event next to it', `${each} without an event`)
    const said = value[each]
    const several = (action.per === 'rule' || action.per === 'newest_event') && Array.isArray(said)
    for (const [index, one] of (several ? said : [said]).entries()) {
      const args = action.args.read(one, several ? [...path, each, index] : [...path, each], issues, context)
      const rule = rules[index] ?? []
      rules[index] = rule
      if (args !== undefined) rule.push({ action: each, args })
    }
  }
  return rules
}

function readCalls(value: unknown, path: Path, issues: Issue[]): ExpectedCall[] {
  if (!Array.isArray(value) || value.length === 0)
    return refuse(issues, { path, expected: 'a list of calls; where nothing must be done, nothing: true' }) ?? []
  const endpoint = choice([...endpointsByName.keys(), ...mergeQueueCalls])
  return value.flatMap((each: unknown, index): ExpectedCall[] => {
    const at = [...path, index]
    const [key, ...more] = isMap(each) ? Object.keys(each) : []
    const params = isMap(each) && key !== undefined ? each[key] : {}
    const expected = 'the name of an endpoint, or one name with a mapping of its parameters'
    if (isMap(each) && (key === undefined || more.length > 0 || !isMap(params)))
      return refuse(issues, { path: at, expected }) ?? []
    const read = endpoint.read(key ?? each, at, issues)
    return read === undefined ? [] : [{ endpoint: read, params: params as Record<string, Json> }]
  })
}

/** One name of a rule, or a list of them. */
function readNames(value: unknown, path: Path, ruleNames: readonly string[], issues: Issue[]): string[] | undefined {
  const named = choice(ruleNames)
  if (!Array.isArray(value)) return [named.read(value, path, issues) ?? '']
  return listOf(named).read(value, path, issues)
}

/** The name of a condition for a test of one rule, or a mapping from rule names to conditions. */
function readBlockers(
  value: unknown,
  path: Path,
  ruleNames: readonly string[],
  issues: Issue[],
): Record<string, string> {
  const [only] = ruleNames
  if (typeof value === 'string' && value !== '') {
    if (only !== undefined && ruleNames.length === 1) return { [only]: value }
    const expected = 'a mapping of rule names to conditions, where there is not exactly one rule'
    return refuse(issues, { path, expected }) ?? {}
  }
  if (!isMap(value) || Object.values(value).some((each) => typeof each !== 'string' || each === ''))
    return refuse(issues, { path, expected: 'the name of a condition, or a mapping of rule names to them' }) ?? {}
  refuseOtherKeys(value, ruleNames, path, issues)
  return value as Record<string, string>
}

function readTest(test: unknown, path: Path, ruleNames: readonly string[], { yaml, issues }: Reader): RuleTest[] {
  if (!isMap(test)) return refuse(issues, { path, expected: 'a test with a name and what is expected' }) ?? []
  refuseOtherKeys(test, testKeys, path, issues)
  const has = (key: string) => Object.hasOwn(test, key)
  const title = has('name') ? name.read(test.name, [...path, 'name'], issues) : undefined
  if (!has('name')) issues.push({ path, expected: 'the key "name"', found: 'a test without it' })
  if (has('nothing') && test.nothing !== true) issues.push({ path: [...path, 'nothing'], expected: 'true' })
  if (has('event') && has('delivery'))
    issues.push({ path: [...path, 'delivery'], at: 'key', expected: 'either event or delivery' })
  const ways = expectations.filter(has)
  if (ways.length > 1 || (ways.length === 0 && !has('blocker')))
    issues.push({
      path,
      expected: 'one of then, includes, nothing and calls, or blocker',
      found: ways.length > 1 ? ways.join(' and ') : 'a test that expects nothing in particular',
    })
  const about = has('for') ? forShape.read(test.for, [...path, 'for'], issues) : undefined
  const subject = ruleSubject(about, [])
  const event = readEvent(test, path, issues)
  const delivery = has('delivery') ? name.read(test.delivery, [...path, 'delivery'], issues) : undefined
  const [actions] = ways.filter((each) => each === 'then' || each === 'includes')
  const expected =
    actions !== undefined
      ? readThen(test[actions], [...path, actions], { onEvents: event !== undefined, subject }, issues)
      : has('nothing')
        ? []
        : undefined
  const rules = has('rule') ? readNames(test.rule, [...path, 'rule'], ruleNames, issues) : undefined
  const read: RuleTest = {
    name: title ?? '',
    line: yaml.position(path, 'value').line,
    subject,
    rules,
    before: readBefore(test.before, [...path, 'before'], subject, issues),
    given: readGiven(test.given, [...path, 'given'], subject, issues),
    event,
    delivery,
    expected,
    mayDoMore: actions === 'includes',
    calls: has('calls') ? readCalls(test.calls, [...path, 'calls'], issues) : undefined,
    blockers: has('blocker') ? readBlockers(test.blocker, [...path, 'blocker'], rules ?? ruleNames, issues) : {},
  }
  return [read]
}

type ReadResult<T> = { ok: true; read: T } | { ok: false; problems: Problem[] }

/** The rule file that the tests name; undefined if they name none. */
export function testedFile(source: string, file: string): ReadResult<string | undefined> {
  const document = readDocumentYaml(source, file)
  if (!document.ok) return document
  const { value } = document.yaml
  const named = isMap(value) && Object.hasOwn(value, 'rules') ? value.rules : undefined
  if (named === undefined || (typeof named === 'string' && named !== '')) return { ok: true, read: named }
  return {
    ok: false,
    problems: [problemOf(file, document.yaml, { path: ['rules'], expected: 'the name of a rule file' })],
  }
}

/** Reads a file of tests: all of its tests, or all of its problems. `ruleNames`: the rules under test. */
export function readRuleTests(source: string, file: string, ruleNames: readonly string[]): ReadResult<RuleTest[]> {
  const document = readDocumentYaml(source, file)
  if (!document.ok) return document
  const issues: Issue[] = []
  const { value } = document.yaml
  const reader = { yaml: document.yaml, issues }
  const tests = isMap(value) ? value.tests : undefined
  if (isMap(value)) {
    refuseOtherKeys(value, ['version', 'rules', 'tests'], [], issues)
    if (Object.hasOwn(value, 'version') && value.version !== 1)
      issues.push({ path: ['version'], expected: 'the version 1' })
  }
  const isList = Array.isArray(tests) && tests.length > 0 && tests.length <= MOST_TESTS
  // A file without a test would always pass.
  if (!isList)
    issues.push({
      path: isMap(value) ? ['tests'] : [],
      expected: `a list of 1 to ${MOST_TESTS} tests below tests:`,
    })
  const read = isList
    ? tests.flatMap((each: unknown, index) => readTest(each, ['tests', index], ruleNames, reader))
    : []
  if (issues.length === 0) return { ok: true, read }
  const problems = issues.map((issue) => problemOf(file, document.yaml, issue))
  return { ok: false, problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) }
}
