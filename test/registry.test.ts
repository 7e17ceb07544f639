// Conformance of the registries: whatever is declared is documented, parses, acts, is tested, and is in the contract.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { stale } from '../scripts/generate.ts'
import { endpointsByName } from '../src/api/index.ts'
import type { Action } from '../src/rules/action.ts'
import { actions } from '../src/rules/actions/index.ts'
import { decide } from '../src/rules/decide.ts'
import { readRules } from '../src/rules/document.ts'
import type { Fact } from '../src/rules/fact.ts'
import { facts } from '../src/rules/facts/index.ts'
import { offLabelReads } from '../src/rules/off-label.ts'
import { type Operator, operators, operatorsFor } from '../src/rules/operators.ts'
import { boundSource, type Source, sources } from '../src/rules/sources.ts'
import { answers, decideExample, exampleInput, file, head, input, rule, rules, verdictOf, verdictOnEvent } from './rules/world.ts'

const root = new URL('../', import.meta.url)
const names = (folder: string) => readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.ts') && name !== 'index.ts')
const memory = { rules: {}, pushes: [{ from: null, to: head, by: { username: 'alice' } }] }

/** Whether deciding the action's example needs the source. */
function usesSource(action: Action, name: string): boolean {
  const given = exampleInput(action)
  const without = Object.fromEntries(Object.entries(given.answers).filter(([answer]) => answer.split('@')[0] !== name))
  const result = decide({ ...given, answers: without })
  return 'needs' in result && result.needs.some((answer) => answer.split('@')[0] === name)
}

/** Declarations only: their meaning is tested where they are used. */
const withoutTest = ['types.ts', 'rule-file-types.ts', 'action.ts', 'rule-test-types.ts']

describe('files', () => {
  it.each(['', 'facts/', 'actions/'].flatMap((folder) => names(`src/rules/${folder}`).map((name) => `${folder}${name}`)))(
    '%s has a test',
    (path) => {
      if (withoutTest.includes(path)) return
      const test = `test/rules/${path.replace(/\.ts$/, '.test.ts')}`
      expect(existsSync(new URL(test, root)), `write ${test}`).toBe(true)
    },
  )
  it('the registries are as npm run generate writes them', async () => {
    expect(await stale()).toEqual([])
  })
})

describe.each(Object.entries<Fact>(facts as Record<string, Fact>))('fact %s', (name, fact) => {
  it('is documented with a sentence', () => {
    expect(fact.doc).toMatch(/^[A-Z].*\.$/s)
  })
  it('has an example that is about it, parses and can be judged', () => {
    expect(fact.example).toMatch(new RegExp(`^${name}: `))
    expect(['true', 'false']).toContain((fact.ofEvents === true ? verdictOnEvent : verdictOf)(`{ ${fact.example} }`, { memory }))
  })
  it('comes from sources that exist and names what would help', () => {
    for (const source of fact.from) expect(Object.keys(sources)).toContain(source)
    if (fact.ofEvents !== true && fact.type.name !== 'clock') expect(fact.from.length).toBeGreaterThan(0)
    expect(fact.unblock('x', undefined)).not.toBe('')
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
    for (const call of calls) {
      const endpoint = endpointsByName.get(call.endpoint)
      expect(endpoint, call.endpoint).toBeDefined()
      const allowed = { ...endpoint?.pathParams, ...endpoint?.query, ...endpoint?.body }
      for (const [key, value] of Object.entries(call.params)) expect(allowed[key]?.safeParse(value).success, key).toBe(true)
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
  it('is used by a fact or an action', () => {
    const byFact = Object.values<Fact>(facts as Record<string, Fact>).some((fact) => fact.from.includes(name))
    const byAction = Object.values<Action>(actions).some((action) => usesSource(action, name))
    expect(byFact || byAction || offLabelReads.includes(name)).toBe(true)
  })
})

it('the bound source is a source', () => {
  expect(Object.keys(sources)).toContain(boundSource)
})

it('nothing outside the language names an action', () => {
  const bot = new URL('src/bot/', root)
  if (!existsSync(bot)) return
  for (const name of readdirSync(bot)) {
    const text = readFileSync(new URL(name, bot), 'utf8')
    // `update` is a kind of event as well, and `close` a value of the header Connection.
    for (const action of Object.keys(actions).filter((each) => each !== 'update' && each !== 'close'))
      expect(text, `${name} names ${action}`).not.toMatch(new RegExp(`['"\`]${action}['"\`]`))
  }
})

it('500 rules are decided without a call more than one rule needs', () => {
  const many = Array.from({ length: 500 }, (_, index) => rule('{ author: alice }', '{ subscribe: true }', `rule ${index}`))
  const text = rules(...many)
  expect(readRules(text, 'a.yml', { trust: 'operator' }).ok).toBe(true)
  const result = decide(input([file(text)], { answers: answers() }))
  expect('decision' in result && result.decision.calls).toHaveLength(1)
})
