// Conformance of the registries: whatever is declared is documented, parses, acts, is tested, and is in the contract.
import { existsSync, readdirSync } from 'node:fs'
import { endpointsByName } from '../src/api/index.ts'
import type { Action } from '../src/rules/actions/definition/action.ts'
import { actions } from '../src/rules/actions/index.ts'
import { decide } from '../src/rules/engine/decide.ts'
import { type Fact, fixFor } from '../src/rules/facts/definition/fact.ts'
import type { Source } from '../src/rules/facts/definition/source.ts'
import { mergeRequestSource, sources } from '../src/rules/facts/definition/sources.ts'
import { facts } from '../src/rules/facts/index.ts'
import { readRules } from '../src/rules/language/documents/rule-document.ts'
import { type Operator, operators, operatorsFor } from '../src/rules/language/operators/operators.ts'
import {
  answer,
  answers,
  decideExample,
  decideIssue,
  exampleInput,
  file,
  head,
  input,
  ofIssue,
  rule,
  rules,
  verdictOf,
  verdictOnEvent,
} from './rules/world.ts'

const root = new URL('../', import.meta.url)
const _names = (folder: string) =>
  readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.ts') && name !== 'index.ts')
const memory = { rules: {}, pushes: [{ from: null, to: head, by: { username: 'alice' } }] }

/** Whether deciding the action's example needs the source, where all that is named is found, or nothing. */
function usesSource(action: Action, name: string): boolean {
  const given = exampleInput(action)
  const without = Object.fromEntries(Object.entries(given.answers).filter(([answer]) => answer.split('@')[0] !== name))
  const empty = Object.entries(without).map(([key, each]) => [key, key.includes('@') ? answer([]) : each] as const)
  return [without, Object.fromEntries(empty)].some((answers) => {
    const result = decide({ ...given, answers })
    return 'needs' in result && result.needs.some((each) => each.split('@')[0] === name)
  })
}

/** Declarations, and parts of what other tests show. */
const withoutTest = [
  'types.ts',
  'call-types.ts',
  'event-types.ts',
  'language/values/rule-types.ts',
  'actions/definition/action.ts',
  'testing/test-types.ts',
  'actions/definition/bot-note.ts',
  ...['facts/definition/people-sources.ts', 'facts/definition/source.ts'],
  ...['language/operators/impossible-texts.ts'],
]
// Each of these folders is tested as a whole, through its entry.
const testedAsWhole = /^(lint|language\/schema)\//
const needsTest = (path: string) =>
  path.endsWith('.ts') && !path.endsWith('index.ts') && !withoutTest.includes(path) && !testedAsWhole.test(path)

it('every file of src/rules has a test', () => {
  const files = readdirSync(new URL('src/rules/', root), { recursive: true, encoding: 'utf8' }).filter(needsTest)
  const hasTest = (path: string) => existsSync(new URL(`test/rules/${path.replace(/\.ts$/, '.test.ts')}`, root))
  expect(files.filter((path) => !hasTest(path))).toEqual([])
})

/** What the ordinary merge request does not have: an update of a dependency, and something that happened to it. */
function notOrdinary(name: string, { writtenAs }: Fact) {
  if (name === 'version_change') return { answers: answers({ title: 'Bump a from 1.0.0 to 1.0.1' }) }
  if (writtenAs?.fact !== 'since') return {}
  const created_at = '2026-01-05T00:00:00Z'
  const happened = {
    approvals: answer({ approved_by: [{ user: { id: 3 }, approved_at: created_at }] }),
    labelEvents: answer([{ action: 'add', label: { name: 'ready' }, created_at }]),
  }
  return { answers: answers({ labels: ['ready'], reviewers: [{ id: 3 }] }, happened) }
}

function verdictOfExample(name: string, fact: Fact) {
  const { ofIssues, ofEvents, example } = fact
  const condition = `{ ${example} }`
  if (ofIssues === 'only')
    return decideIssue(condition, '{ subscribe: true }', ofIssue({ weight: 3 })).rules[0]?.verdict
  return (ofEvents === true ? verdictOnEvent : verdictOf)(condition, { memory, ...notOrdinary(name, fact) })
}

describe.each(Object.entries<Fact>(facts as Record<string, Fact>))('fact %s', (name, fact) => {
  it('is documented with a sentence', () => {
    expect(fact.doc).toMatch(/^[A-Z].*\.$/s)
  })
  it('has an example that uses it, parses and can be evaluated', () => {
    expect(fact.example).toMatch(new RegExp(`^${fact.writtenAs?.fact ?? name}: `))
    expect(['true', 'false']).toContain(verdictOfExample(name, fact))
  })
  it('comes from sources that exist and names what would help', () => {
    for (const source of fact.from) expect(Object.keys(sources)).toContain(source)
    if (fact.ofEvents !== true && fact.type.name !== 'clock') expect(fact.from.length).toBeGreaterThan(0)
    expect(fixFor(fact, { expected: 'x', actual: undefined, fits: () => true })).not.toBe('')
  })
  it('has operators, or equality', () => {
    expect(operatorsFor(fact.type).length + (['boolean', 'choice'].includes(fact.type.name) ? 1 : 0)).toBeGreaterThan(0)
  })
})

describe.each(Object.entries<Operator>(operators))('operator %s', (_name, operator) => {
  it('is documented and belongs to a type that some fact has', () => {
    expect(operator.doc).toMatch(/^[A-Z].*\.$/s)
    const used = new Set(Object.values<Fact>(facts as Record<string, Fact>).map((fact) => fact.type.name))
    for (const type of operator.for) expect(used).toContain(type)
    for (const source of operator.from ?? []) expect(Object.keys(sources)).toContain(source)
  })
})

describe.each(Object.entries<Action>(actions))('action %s', (name, action) => {
  it('is named like its file and documented', () => {
    expect(action.name).toBe(name)
    expect(existsSync(new URL(`src/rules/actions/${name.replaceAll('_', '-')}.ts`, root))).toBe(true)
    expect(action.doc).toMatch(/^[A-Z].*\.$/s)
  })
  it('has an example that is about it, parses and acts', () => {
    expect(action.example).toMatch(new RegExp(`^${name}: `))
    expect(decideExample(action).rules[0]?.actions[0]?.result).toBe('call')
  })
  it('calls endpoints of the contract with parameters that they take', () => {
    const { calls } = decideExample(action)
    expect(calls.length).toBeGreaterThan(0)
    for (const call of calls.filter(({ to }) => to === 'service')) {
      const endpoint = endpointsByName.get(call.endpoint)
      expect(endpoint, call.endpoint).toBeDefined()
      const allowed = { ...endpoint?.pathParams, ...endpoint?.query, ...endpoint?.body }
      for (const [key, value] of Object.entries(call.params))
        expect(allowed[key]?.safeParse(value).success, key).toBe(true)
    }
  })
  it('needs facts that exist', () => {
    for (const need of action.needs) expect(Object.keys(facts)).toContain(need)
  })
})

describe.each(Object.entries<Source>(sources))('source %s', (name, source) => {
  it('is a documented read call of the contract', () => {
    expect(source.name).toBe(name)
    expect(source.doc).toMatch(/\.$/)
    expect(endpointsByName.get(source.endpoint)?.method).toBe('GET')
  })
  it('is used by a fact, an operator or an action', () => {
    const byFact = Object.values<Fact>(facts as Record<string, Fact>).some((fact) => fact.from.includes(name))
    const declared = [
      ...Object.values<Operator>(operators).flatMap(({ from = [] }) => from),
      ...Object.values<Action>(actions).flatMap(({ reads }) => reads?.sources ?? []),
    ]
    const byAction = Object.values<Action>(actions).some((action) => usesSource(action, name))
    // What public text may show depends on who sees the group.
    const others: readonly string[] = [...declared, sources.group.name]
    expect(byFact || byAction || others.includes(name)).toBe(true)
  })
})

it('the bound source is a source', () => {
  expect(Object.keys(sources)).toContain(mergeRequestSource)
})

it('500 rules are decided without a call more than one rule needs', () => {
  const many = Array.from({ length: 500 }, (_, index) =>
    rule('{ author: alice }', '{ subscribe: true }', `rule ${index}`),
  )
  const text = rules(...many)
  expect(readRules(text, 'a.yml', { trust: 'operator' }).ok).toBe(true)
  const result = decide(input([file(text)], { answers: answers() }))
  expect('decision' in result && result.decision.calls).toHaveLength(1)
})
