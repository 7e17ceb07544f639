// What a rule file may say besides its rules depends on whose file it is.
import { includes, nameOf } from '../../../../src/rules/language/documents/document-head.ts'
import { formatProblem, readRules } from '../../../../src/rules/language/documents/rule-document.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'

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

function readIncludes(value: unknown) {
  const issues: Issue[] = []
  return { value: includes.read(value, ['include'], issues), issues: issues.length }
}

describe('an include', () => {
  it('names a project, a file, and where it is pinned the commit or tag', () => {
    const one = { project: 'hotel/rules', file: 'merge.yml', ref: 'v1' }
    expect(readIncludes(one).value).toEqual([one])
    expect(readIncludes([{ project: 'a/b/c', file: 'rules/x.yaml' }]).issues).toBe(0)
    expect(nameOf(one)).toBe('hotel/rules:merge.yml@v1')
    expect(nameOf({ project: 'a/b', file: 'c.yml' })).toBe('a/b:c.yml')
  })
  it.each([
    [{ project: 'hotel/rules' }],
    [{ file: 'a.yml' }],
    [{ project: 'rules', file: 'a.yml' }],
    [{ project: '..', file: 'a.yml', branch: 'x' }],
    [{ project: 'hotel/rules?x=1', file: 'a.yml' }],
    [{ project: 'hotel/rules', file: '../a.yml' }],
    [{ project: 'hotel/rules', file: './a.yml' }],
    [{ project: 'hotel/rules', file: 'a//b.yml' }],
    [{ project: 'hotel/rules', file: '/a.yml' }],
    [{ project: 'hotel/rules', file: 'secrets.env' }],
    [{ project: 'hotel/rules', file: 'a\n.yml' }],
    [{ project: 'hotel/rules', file: 'a.yml', ref: '' }],
    [Array.from({ length: 11 }, () => ({ project: 'a/b', file: 'c.yml' }))],
    [[]],
  ])('%j is refused', (value) => {
    expect(readIncludes(value)).toMatchObject({ value: undefined })
  })
})
