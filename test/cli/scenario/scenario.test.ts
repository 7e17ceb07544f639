// How scenarios are read: defaults, and mistakes with their place.
import { readdirSync, readFileSync } from 'node:fs'
import { readScenario } from '../../../src/cli/scenario/scenario.ts'
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'

const shipped = readdirSync('scenarios').map((name) => `scenarios/${name}`)

function problemsOf(text: string): string[] {
  const read = readScenario(text, 's.yml')
  return read.ok ? [] : read.problems
}

test.each(shipped)('%s can be read, and the rules in it as well', (file) => {
  const read = readScenario(readFileSync(file, 'utf8'), file)
  expect(read).toMatchObject({ ok: true })
  const rules = read.ok ? read.scenario.projects.flatMap((project) => project.files['.bellhop.yml'] ?? []) : []
  expect(rules.length).toBeGreaterThan(0)
  for (const text of rules) expect(readRules(text, '.bellhop.yml', { trust: 'repository' })).toMatchObject({ ok: true })
})

test('an empty scenario is an empty world', () => {
  expect(readScenario('version: 1', 's.yml')).toEqual({
    ok: true,
    scenario: { version: 1, users: [], groups: [], projects: [] },
  })
})

describe('a mistake is named with line and column', () => {
  test.each([
    ['YAML that is none', 'version: [1', /^s\.yml:1:\d+: expected valid YAML/],
    ['an unknown key', 'version: 1\nuserz: []\n', /^s\.yml:2:1: userz: unknown key$/],
    ['a wrong value', 'version: 1\ngroups:\n  - path: a\n    visibility: x\n', /^s\.yml:4:17: groups\.0\.visibility: /],
    ['no version', 'users: []', /^s\.yml:1:1: version: /],
  ])('%s', (_what, text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(problem)])
  })

  test.each([
    ['takes: soon', /a duration such as 15m/],
    ['takes: 25h', /at most 24h/],
    ['ends: broken', /success, failed, .*manual, canceling, waiting_for_callback, or a list of these/],
    ['ends: []', /pipelines\.0\.ends/],
    ['kind: tag', /pipelines\.0\.kind/],
  ])('pipelines with %s', (given, expected) => {
    const text = `version: 1\nprojects: [{ path: a, pipelines: [{ branches: "*", ${given} }] }]\n`
    expect(problemsOf(text)).toEqual([expect.stringMatching(expected)])
  })

  test('people who are not in the scenario, wherever they are named', () => {
    const text = `version: 1
users: [{ username: alice }]
groups:
  - path: hotel
    members: { bob: owner }
projects:
  - path: hotel/app
    members: { root: owner }
    issues: [{ title: one, by: carol }]
    merge_requests:
      - { title: a, author: dave, source_branch: b, files: {}, assignee: alice, approved_by: [erin], comments: [{ by: frank, text: hi }], reviewers: [grace] }
`
    expect(problemsOf(text).map((line) => line.replace(/^s\.yml:\d+:\d+: \S+: /, ''))).toEqual(
      ['bob', 'carol', 'dave', 'grace', 'erin', 'frank'].map((name) => `no user "${name}" in this scenario`),
    )
  })
})
