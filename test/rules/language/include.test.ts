// `include:`: which files of which projects, and what no include may say.
import { describe, expect, it } from 'vitest'
import { includes, nameOf } from '../../../src/rules/language/documents/document-head.ts'
import type { Issue } from '../../../src/rules/language/values/shapes.ts'

function read(value: unknown) {
  const issues: Issue[] = []
  return { value: includes.read(value, ['include'], issues), issues: issues.length }
}

describe('an include', () => {
  it('names a project, a file, and where it is pinned the commit or tag', () => {
    const one = { project: 'hotel/rules', file: 'merge.yml', ref: 'v1' }
    expect(read(one).value).toEqual([one])
    expect(read([{ project: 'a/b/c', file: 'rules/x.yaml' }]).issues).toBe(0)
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
    expect(read(value)).toMatchObject({ value: undefined })
  })
})
