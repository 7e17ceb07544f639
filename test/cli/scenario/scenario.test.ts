// How scenarios are read: defaults, and mistakes with their place.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readScenario } from '../../../src/cli/scenario/scenario.ts'
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'

const shipped = readdirSync('scenarios').map((name) => `scenarios/${name}`)

function problemsOf(text: string): string[] {
  const read = readScenario(text, 's.yml')
  return read.ok ? [] : read.problems
}

test('at least two scenarios ship', () => {
  expect(shipped.length).toBeGreaterThanOrEqual(2)
})

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
  test('YAML that is none', () => {
    expect(problemsOf('version: [1')[0]).toMatch(/^s\.yml:1:\d+: expected valid YAML/)
  })

  test('an unknown key', () => {
    expect(problemsOf('version: 1\nuserz: []\n')).toEqual(['s.yml:2:1: userz: unknown key'])
  })

  test('a wrong value', () => {
    const [problem] = problemsOf('version: 1\ngroups:\n  - path: hotel\n    visibility: secret\n')
    expect(problem).toMatch(/^s\.yml:4:17: groups\.0\.visibility: /)
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

  test('no version', () => {
    expect(problemsOf('users: []')[0]).toMatch(/^s\.yml:1:1: version: /)
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
