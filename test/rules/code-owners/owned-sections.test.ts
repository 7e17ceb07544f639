// Who owns the changed files: the last match of each section.
import { describe, expect, it } from 'vitest'
import { ownedSections } from '../../../src/rules/code-owners/owned-sections.ts'

const owners = (lines: string[], ...paths: string[]) =>
  ownedSections(lines.join('\n'), paths)?.map(({ name, owners: found }) => [
    name,
    found.map((each) => ('name' in each ? each.name : JSON.stringify(each))),
  ])

describe('the owners', () => {
  const file = [
    ...['* @admin', '[README Owners]', 'README.md @one @two', 'internal/README.md @four'],
    ...['[README other owners]', 'README.md @three'],
  ]
  it.each([
    [
      'README.md',
      [
        ['', ['admin']],
        ['README Owners', ['one', 'two']],
        ['README other owners', ['three']],
      ],
    ],
    [
      'internal/README.md',
      [
        ['', ['admin']],
        ['README Owners', ['four']],
        ['README other owners', ['three']],
      ],
    ],
    ['a.rb', [['', ['admin']]]],
  ])('of %s are by the last match of each section', (path, expected) => {
    expect(owners(file, path)).toEqual(expected)
  })
  it('of several files are those of each, once', () => {
    expect(owners(['*.rb @ann @Bob', '*.md @bob', '*.c @cat'], 'a.rb', 'b.md', 'c.txt')).toEqual([['', ['ann', 'bob']]])
  })
  it.each([
    ['after its entry', ['* @admin', '!*.lock']],
    ['before an entry that would include it again', ['!*.lock', '* @admin', '/a.lock @ann']],
  ])('of what is excluded %s are nobody in that section', (_what, lines) => {
    expect(owners([...lines, '[Locks]', '*.lock @bob'], 'a.lock')).toEqual([['Locks', ['bob']]])
  })
  it('of a file whose last match has no owner are nobody', () => {
    expect(owners(['* @admin', 'a.md'], 'a.md')).toEqual([])
  })
  it('are nobody for a binary file, and unknown where matching takes too long', () => {
    expect(ownedSections('* @a\0', ['a'])).toEqual([])
    const hostile = Array.from({ length: 900 }, (_, index) => `${'*a'.repeat(80)}${index}b @x`).join('\n')
    const paths = Array.from({ length: 500 }, (_, index) => `${'a'.repeat(3000)}${index}`)
    const start = performance.now()
    expect(ownedSections(hostile, paths)).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(3000)
  })
  it('of many files with the same long entry are collected once', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `@a${index}`)
    const paths = Array.from({ length: 2_000 }, (_, index) => `src/${index}.ts`)
    const start = performance.now()
    expect(ownedSections(`* ${many.join(' ')}`, paths)?.[0]?.owners).toHaveLength(20_000)
    expect(performance.now() - start).toBeLessThan(2000)
  })
  it('in sections without entries take no time', () => {
    const sections = Array.from({ length: 30_000 }, (_, index) => `[${index}]`).join('\n')
    const paths = Array.from({ length: 2_000 }, (_, index) => `src/${index}.ts`)
    const start = performance.now()
    ownedSections(sections, paths)
    expect(performance.now() - start).toBeLessThan(500)
  })
})
