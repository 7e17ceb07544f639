// What a rule file may say besides its rules depends on whose file it is.
import { describe, expect, it } from 'vitest'
import { formatProblem, readRules } from '../../../../src/rules/language/documents/rule-document.ts'

const one = 'rules:\n  - { name: a, if: { draft: true }, then: { subscribe: true } }\n'
const read = (head: string, options: Parameters<typeof readRules>[2]) => {
  const result = readRules(`${head}${one}`, 'x.yml', options)
  return result.ok ? result.rules : result.problems.map(formatProblem)
}
const include = 'include: { project: hotel/rules, file: a.yml }\n'

describe('the operator’s file', () => {
  it('says for which projects and in which mode it is', () => {
    expect(read('projects: hotel/*\nmode: observe\n', { trust: 'operator' })).toMatchObject({
      projects: ['hotel/*'],
      mode: 'observe',
    })
  })
  it('includes nothing', () => {
    expect(read(include, { trust: 'operator' })).toEqual([
      "x.yml:1:1: include: expected a repository's own rule file, found include in a rule file of the operator",
    ])
  })
})

describe('the repository’s file', () => {
  it('includes files, and may consist of that', () => {
    expect(read(include, { trust: 'repository' })).toMatchObject({
      include: [{ project: 'hotel/rules', file: 'a.yml' }],
    })
    expect(readRules(include, 'x.yml', { trust: 'repository' })).toMatchObject({ ok: true, rules: { rules: [] } })
  })
  it('is for its own project only', () => {
    expect(read('projects: "**"\n', { trust: 'repository' })).toEqual([
      "x.yml:1:1: projects: expected a rule file of the operator, found projects in a repository's rule file",
    ])
  })
})

describe('an included file', () => {
  it('includes nothing itself, and is for nobody else', () => {
    const options = { trust: 'repository' as const, included: true }
    expect(read(include, options)).toEqual([expect.stringMatching(/include in a file that is included itself/)])
    expect(read('projects: "**"\n', options)).toHaveLength(1)
    expect(read('mode: off\n', options)).toMatchObject({ mode: 'off' })
  })
})

it('a mode that there is not is refused with its place', () => {
  expect(read('mode: dry\n', { trust: 'operator' })).toEqual([
    'x.yml:1:7: mode: expected one of act, observe, off, found "dry"',
  ])
})
