// Every shipped rule file loads without problems or warnings, and its rule tests show where it acts and where not.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'
import { checkFile } from '../src/cli/check/checked-file.ts'
import { runTests } from '../src/cli/rule-tests/run-tests.ts'
import { actions } from '../src/rules/actions/index.ts'
import { readRules } from '../src/rules/language/documents/rule-document.ts'
import { neverSeen } from '../src/rules/testing/coverage.ts'
import { ownFolder } from './cli/own-folder.ts'

const folder = new URL('../rules/', import.meta.url)
const pathOf = (name: string) => fileURLToPath(new URL(name, folder))
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const examples = readdirSync(new URL('examples/', folder))
  .filter((name) => !name.endsWith('.test.yml'))
  .sort()

describe('the default rules', () => {
  it('offer rules that tell the author of what is in the way: those of the cookbook, to be uncommented', () => {
    const offered = read('default.yml')
      .replace(/^rules: \[\]\n/m, '')
      .replaceAll(/^# (rules:| {2})/gm, '$1')
    const file = readRules(offered, 'default.yml', { trust: 'operator' })
    const example = readRules(read('examples/tell-the-author.yml'), 'default.yml', { trust: 'operator' })
    const withoutLines = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (key, each) => (/^(line|column)$/.test(key) ? undefined : each))
    expect(withoutLines(file)).toEqual(withoutLines(example))
    expect(file).toMatchObject({ ok: true, rules: { rules: [{}, {}] } })
  })
  it('are none', () => {
    expect(readRules(read('default.yml'), 'default.yml', { trust: 'operator' })).toEqual({
      ok: true,
      rules: { file: 'default.yml', rules: [] },
    })
  })
})

describe.each(examples)('%s', (name) => {
  const tests = name.replace('.yml', '.test.yml')
  it.each(['operator', 'repository'] as const)('is fine as a file of the %s, without a warning', async (owner) => {
    const { problems, warnings } = await checkFile(pathOf(`examples/${name}`), owner)
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
  })
  it('passes its rule tests, which show every rule and condition true and false', async () => {
    const { files, coverage } = await runTests([pathOf(`examples/${tests}`)])
    expect(files.flatMap(({ problems, tests }) => [...problems, ...tests.filter(({ passed }) => !passed)])).toEqual([])
    expect(coverage.flatMap(neverSeen)).toEqual([])
  })
  it('has a test in which it acts, and one in which it rests', () => {
    const text = read(`examples/${tests}`)
    expect(text).toMatch(/^ {4}then:/m)
    expect(text).toMatch(/^ {4}nothing: true$/m)
  })
  it('says in its first line what it shows, and so do its tests', () => {
    expect(read(`examples/${name}`)).toMatch(/^# [A-Z].+\.\n/)
    expect(read(`examples/${tests}`)).toMatch(new RegExp(`^# Tests of ${name}\\.\n`))
  })
})

it('all examples are one file without a mistake, in which each of their tests, which then names its rules, passes', async () => {
  const parts = examples.map((name) => {
    const { rules, defs, queues } = parse(read(`examples/${name}`))
    const { tests } = parse(read(`examples/${name.replace('.yml', '.test.yml')}`))
    const rule = rules.map((each: { name: string }) => each.name)
    return { rules, defs, queues, tests: tests.map((test: object) => ({ rule, ...test })) }
  })
  const defined = parts.flatMap(({ defs = {} }) => Object.keys(defs))
  expect(new Set(defined).size).toBe(defined.length)
  const { write } = ownFolder()
  const joined = {
    defs: Object.assign({}, ...parts.map(({ defs }) => defs)),
    queues: parts.flatMap(({ queues = [] }) => queues),
    rules: parts.flatMap(({ rules }) => rules),
  }
  const file = write('all.yml', stringify(joined))
  const tests = write(
    'all.test.yml',
    stringify({ tests: parts.flatMap((each) => each.tests) }, { aliasDuplicateObjects: false }),
  )
  expect((await checkFile(file, 'operator')).problems).toEqual([])
  const { files } = await runTests([tests])
  expect(files.flatMap((each) => [...each.problems, ...each.tests.filter(({ passed }) => !passed)])).toEqual([])
})

it('no rule test is without its rules', () => {
  const tests = readdirSync(new URL('examples/', folder)).filter((name) => name.endsWith('.test.yml'))
  expect(tests.map((name) => name.replace('.test.yml', '.yml')).sort()).toEqual(examples)
})

it('there is an example for every action', () => {
  const shown = examples.flatMap((name) => {
    const file = readRules(read(`examples/${name}`), name, { trust: 'operator' })
    return file.ok ? file.rules.rules.flatMap((rule) => rule.actions.map(({ action }) => action)) : []
  })
  expect([...new Set(shown)].sort()).toEqual(Object.keys(actions).sort())
})

it.each(['default.yml', ...examples.map((name) => `examples/${name}`)])('%s names the schema for editors', (name) => {
  const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(read(name)) ?? []
  expect(JSON.parse(readFileSync(new URL(schema, new URL(name, folder)), 'utf8'))).toHaveProperty('$defs.rule')
})
