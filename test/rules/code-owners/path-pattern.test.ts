// The patterns of CODEOWNERS match as File.fnmatch does with the flags that GitLab sets.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsPath, pathPattern } from '../../../src/rules/code-owners/owned-sections.ts'

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
