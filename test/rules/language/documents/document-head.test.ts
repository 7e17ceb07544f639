// What a rule file may say besides its rules depends on whose file it is.
import { expect, it } from 'vitest'
import { formatProblem, readRules } from '../../../../src/rules/language/documents/rule-document.ts'

const one = 'rules:\n  - { name: a, if: { draft: true }, then: { subscribe: true } }\n'
const read = (head: string, options: Parameters<typeof readRules>[2]) => {
  const result = readRules(`${head}${one}`, 'x.yml', options)
  return result.ok ? result.rules : result.problems.map(formatProblem)
}
const include = 'include: { project: hotel/rules, file: a.yml }\n'

const [operator, repository] = [{ trust: 'operator' }, { trust: 'repository' }] as const
const included = { ...repository, included: true }

it.each([
  ['the operator’s file', 'projects: hotel/*\nmode: observe\n', operator, { projects: ['hotel/*'], mode: 'observe' }],
  ['the repository’s file', include, repository, { include: [{ project: 'hotel/rules', file: 'a.yml' }] }],
  ['an included file', 'mode: off\n', included, { mode: 'off' }],
])('%s may say %j', (_whose, head, options, expected) => {
  expect(read(head, options)).toMatchObject(expected)
})

it('the repository’s file may consist of what it includes', () => {
  expect(readRules(include, 'x.yml', repository)).toMatchObject({ ok: true, rules: { rules: [] } })
})

it.each([
  [include, operator, "include: expected a repository's own rule file, found include in a rule file of the operator"],
  [
    include,
    included,
    "include: expected a repository's own rule file, found include in a file that is included itself",
  ],
  [
    'projects: "**"\n',
    repository,
    "projects: expected a rule file of the operator, found projects in a repository's rule file",
  ],
  [
    'projects: "**"\n',
    included,
    'projects: expected a rule file of the operator, found projects in a file that is included itself',
  ],
  ['mode: dry\n', operator, 'mode: expected one of act, observe, off, found "dry"'],
])('%j in a file of %j is refused', (head, options, problem) => {
  expect(read(head, options)).toEqual([expect.stringContaining(problem)])
})
