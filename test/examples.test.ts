// Every rule file that ships: it reads without a problem, and its rule tests show where it acts and where it rests.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runTests } from '../src/cli/rule-tests/run-tests.ts'
import { actions } from '../src/rules/actions/index.ts'
import { neverSeen } from '../src/rules/coverage.ts'
import { readRules } from '../src/rules/document.ts'

const folder = new URL('../rules/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const examples = readdirSync(new URL('examples/', folder))
  .filter((name) => !name.endsWith('.test.yml'))
  .sort()

describe('the default rules', () => {
  it('are none', () => {
    expect(readRules(read('default.yml'), 'default.yml', { trust: 'operator' })).toEqual({
      ok: true,
      rules: { file: 'default.yml', rules: [] },
    })
  })
})

describe.each(examples)('%s', (name) => {
  const path = fileURLToPath(new URL(`examples/${name.replace('.yml', '.test.yml')}`, folder))
  it('passes its rule tests, which show every rule and condition true and false', async () => {
    const { files, coverage } = await runTests([path])
    expect(files.flatMap(({ problems, tests }) => [...problems, ...tests.filter(({ passed }) => !passed)])).toEqual([])
    expect(coverage.flatMap(neverSeen)).toEqual([])
  })
  it('has a test in which it acts, and one in which it rests', () => {
    const tests = readFileSync(path, 'utf8')
    expect(tests).toMatch(/^ {4}then: /m)
    expect(tests).toMatch(/^ {4}nothing: true$/m)
  })
  it('says in its first line what it shows', () => {
    expect(read(`examples/${name}`).split('\n')[0]).toMatch(new RegExp(`^# (${Object.keys(actions).join('|')}): .+\\.$`))
  })
})

it('there is an example for every action', () => {
  const shown = examples.map((name) => read(`examples/${name}`).slice(2).split(':')[0])
  expect(shown.sort()).toEqual(Object.keys(actions).sort())
})

it.each(['default.yml', ...examples.map((name) => `examples/${name}`)])('%s names the schema for editors', (name) => {
  const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(read(name)) ?? []
  expect(JSON.parse(readFileSync(new URL(schema, new URL(name, folder)), 'utf8'))).toHaveProperty('$defs.rule')
})
