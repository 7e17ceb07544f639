// Who owns the changed files: the last match of each section.

import fc from 'fast-check'
import { fitsPath, ownedSections, pathPattern } from '../../../src/rules/code-owners/owned-sections.ts'
import { processorTimeOf } from '../processor-time.ts'

function sectionsOf(text: string, paths: string[]) {
  const found = ownedSections(text, paths)
  if ('unknown' in found) throw new Error(found.unknown)
  return found
}
const owners = (lines: string[], ...paths: string[]) =>
  sectionsOf(lines.join('\n'), paths).map(({ name, owners: found }) => [
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
  it('are unknown for a binary file, and where matching takes too long', () => {
    expect(ownedSections('* @a\0', ['a'])).toEqual({ unknown: 'of CODEOWNERS, a binary file is not read' })
    const hostile = Array.from({ length: 900 }, (_, index) => `${'*a'.repeat(80)}${index}b @x`).join('\n')
    const paths = Array.from({ length: 500 }, (_, index) => `${'a'.repeat(3000)}${index}`)
    expect(processorTimeOf(() => expect(ownedSections(hostile, paths)).toHaveProperty('unknown'))).toBeLessThan(5_000)
  })
  it('of many files with the same long entry are collected once', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `@a${index}`)
    const paths = Array.from({ length: 2_000 }, (_, index) => `src/${index}.ts`)
    const read = () => expect(sectionsOf(`* ${many.join(' ')}`, paths)[0]?.owners).toHaveLength(20_000)
    expect(processorTimeOf(read)).toBeLessThan(5_000)
  })
  it('in sections without entries take no time', () => {
    const sections = Array.from({ length: 30_000 }, (_, index) => `[${index}]`).join('\n')
    const paths = Array.from({ length: 2_000 }, (_, index) => `src/${index}.ts`)
    expect(processorTimeOf(() => ownedSections(sections, paths))).toBeLessThan(1_000)
  })
})

const parts = (path: string) => path.split('/').map((part) => [...part])
const fits = (pattern: string, path: string) => fitsPath(pathPattern(pattern), parts(path), { left: 1_000_000 })

describe('a pattern', () => {
  it.each([
    ['*', ['a', '.a', 'a/b/c.rb'], []],
    ['/*', ['README.md', '.env'], ['docs/a.md']],
    ['*.rb', ['a.rb', 'lib/a/.b.rb'], ['a.rb/b', 'a.RB', 'arb']],
    ['README.md', ['README.md', 'docs/api/README.md'], ['README.mdx', 'README.md/a']],
    ['internal/README.md', ['internal/README.md', 'docs/internal/README.md'], ['README.md', 'xinternal/README.md']],
    ['/README.md', ['README.md'], ['docs/README.md']],
    ['/docs/', ['docs/a', 'docs/a/b/.c'], ['docs', 'x/docs/a']],
    ['lib/', ['lib/a', 'ee/lib/gitlab/b'], ['lib', 'glib/a']],
    ['/docs/*', ['docs/a'], ['docs/a/b']],
    ['/docs/**', ['docs/a'], ['docs/a/b']],
    ['/docs/**/*.md', ['docs/a.md', 'docs/a/b/c.md'], ['docs.md', 'docs/a.txt']],
    ['/docs/*/README.md', ['docs/api/README.md'], ['docs/README.md', 'docs/a/b/README.md']],
    ['/**/a/**/b', ['a/b', 'x/a/y/z/b', 'a/a/b/b'], ['a', 'b', 'a/c']],
    ['/docs/*spec*', ['docs/qa_specs.rb', 'docs/.spec'], ['docs/a/spec']],
    ['foo/*', ['foo/bar', 'baz/foo/bar'], ['fufoo/bar']],
    ['/a?c', ['abc', 'a.c'], ['ac', 'abbc', 'a/c']],
    ['/[a-c]x', ['ax', 'cx'], ['dx', '-x']],
    ['/[!a-c]x', ['dx'], ['ax']],
    ['/[]a]x', [']x', 'ax'], ['bx']],
    ['/[ab', ['[ab'], ['a']],
    ['/{a,b}.md', ['{a,b}.md'], ['a.md']],
    ['/a\\*b', ['a*b'], ['axb']],
    ['#file.rb', ['#file.rb', 'a/#file.rb'], ['file.rb']],
    ['/', ['a', 'a/b'], []],
  ])('%s', (pattern, yes, no) => {
    expect([yes.filter((path) => !fits(pattern, path)), no.filter((path) => fits(pattern, path))]).toEqual([[], []])
  })
  it('that is hostile takes no more steps than it is given', () => {
    const steps = { left: 20_000 }
    const path = parts(`${'a'.repeat(4000)}/${'a'.repeat(4000)}`)
    expect(fitsPath(pathPattern(`/${'*a'.repeat(200)}b/**/${'**/'.repeat(50)}${'*a'.repeat(200)}b`), path, steps)).toBe(
      false,
    )
    expect(steps.left).toBeGreaterThan(-100)
  })
  it('never throws, and a plain path fits itself alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (pattern, path) => {
        expect(typeof fits(pattern, path)).toBe('boolean')
      }),
    )
    const plain = fc.stringMatching(/^[a-z.]{1,5}(\/[a-z.]{1,5}){0,3}$/)
    fc.assert(
      fc.property(plain, plain, (one, other) => {
        expect([fits(`/${one}`, other), fits(`/${one}`, one)]).toEqual([one === other, true])
      }),
    )
  })
})
