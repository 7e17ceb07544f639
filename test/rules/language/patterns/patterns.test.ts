// Globs and expressions: what they match, and that none of them takes long.
import fc from 'fast-check'
import {
  areOrdinary,
  expressionPattern,
  fitsProject,
  type GlobKind,
  globMatcher,
  globPattern,
  problemOfExpression,
  problemOfGlob,
  projectPatterns,
} from '../../../../src/rules/language/patterns/patterns.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'
import { processorTimeOf } from '../../processor-time.ts'

describe('a glob', () => {
  it.each([
    ['docs/**', 'docs/a/b.md', 'path', true],
    ['docs/*', 'docs/a/b.md', 'path', false],
    ['**/*.md', 'README.md', 'path', true],
    ['.gitlab-ci.yml', '.gitlab-ci.yml', 'path', true],
    ['*', '.gitlab-ci.yml', 'path', true],
    ['**', '.github/x', 'path', true],
    ['*.{ts,tsx}', 'a.tsx', 'path', true],
    ['*.TS', 'a.ts', 'path', false],
    ['!docs/**', 'src/a', 'path', false],
    ['blocked::*', 'blocked::a/b', 'name', true],
    ['#1', '#1', 'name', true],
    ['[WIP]', '[WIP]', 'name', true],
    ['+(a)', 'aaa', 'name', false],
  ])('%s over %s as a %s is %s', (glob, text, kind, expected) => {
    expect(globMatcher(glob, kind as GlobKind)(text)).toBe(expected)
  })
  it.each([
    ['a'.repeat(301), /300 characters/],
    ['{a,b}'.repeat(11), /10 braces/],
    ['{1..1000000}', /number ranges/],
    ['{a,b,c,d,e,f,g,h,i,j}'.repeat(3), /200 alternatives/],
    ['{a,{b,{c,{d,{e,{f,g}}}}}}'.repeat(1), undefined],
    ['{a,b,c}/{d,e}', undefined],
  ])('%s is refused with %s', (glob, expected) => {
    const problem = problemOfGlob(glob)
    if (expected === undefined) expect(problem).toBeUndefined()
    else expect(problem).toMatch(expected)
  })
  it('that is refused matches only itself', () => {
    const long = '*'.repeat(301)
    expect(globMatcher(long, 'name')(long)).toBe(true)
    expect(globMatcher(long, 'name')('a')).toBe(false)
  })
})

describe('an expression', () => {
  it.each([
    ['^feat', 'feat: x', true],
    ['(?i)FEAT', 'a feat', true],
    ['a.c$', 'abc', true],
  ])('%s over %s is %s', (source, text, expected) => {
    expect(expressionPattern(source).matches(text)).toBe(expected)
  })
  it.each(['(?=a)', '(?<=a)b', '(a)\\1', '(', '[', 'a{1001}', '((a{1000}){1000}){1000}', 'a'.repeat(501)])(
    '%s is refused',
    (source) => {
      expect(problemOfExpression(source)?.expected).toMatch(/^a regular expression/)
      expect(expressionPattern(source).matches('a')).toBe(false)
    },
  )
})

describe('no pattern that is allowed takes long', () => {
  // Each of these takes a backtracking matcher practically forever; a linear one, some milliseconds on an idle core.
  const enough = 3000
  it.each([
    '(a+)+$',
    '(a*)*b',
    '(x+x+)+y',
    '(a|aa)+$',
    '([a-zA-Z]+)*$',
    '(.*)*=.*=.*',
    `${'a?'.repeat(100)}${'a'.repeat(100)}`,
  ])('expression %s', (source) => {
    expect(processorTimeOf(() => expressionPattern(source).matches(`${'a'.repeat(50_000)}!`))).toBeLessThan(enough)
  })
  it.each([
    '*a'.repeat(140),
    `${'**/'.repeat(90)}b`,
    '?*'.repeat(140),
    '{a,b}'.repeat(7),
    '*[a-z]'.repeat(45),
    '{*a,*b}'.repeat(7),
    `${'**/a/'.repeat(50)}b`,
  ])('glob %s', (glob) => {
    expect(problemOfGlob(glob)).toBeUndefined()
    expect(
      processorTimeOf(() => {
        const matches = globMatcher(glob, 'path')
        for (const text of ['a'.repeat(4000), 'a/'.repeat(2000), `${'a/'.repeat(500)}${'a'.repeat(3000)}b!`])
          matches(text)
      }),
    ).toBeLessThan(enough)
  })
})

describe('the quick way with ordinary texts', () => {
  const part = fc.constantFrom(...'a b .a a.md ..a ... .. . a. @x a:b é a\\b *'.split(' '), '', 'a b', 'a\nb')
  const text = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const glob = fc.oneof(
    text,
    text.map((each) => `${each}/**`),
    text.map((each) => `${each}*`),
    fc.constantFrom('**/*.md', '**/*.a', '**/**', 'a/**', 'a/b/**', 'a'),
  )
  const both = fc.oneof(
    fc.tuple(glob, text),
    text.map((each): [string, string] => [each, each]),
    fc.tuple(text, text).map(([folder, rest]): [string, string] => [`${folder}/**`, `${folder}/${rest}`]),
  )
  it('says what matching says', () => {
    let [quick, held] = [0, 0]
    fc.assert(
      fc.property(both, fc.constantFrom('path' as const, 'name' as const), ([pattern, given], kind) => {
        const { plain, matches } = globPattern(pattern, kind)
        if (plain === undefined || !areOrdinary([given])) return
        const expected = matches(given)
        expect(plain(given)).toBe(expected)
        quick += 1
        if (expected) held += 1
      }),
      { numRuns: 1500 },
    )
    expect(quick).toBeGreaterThan(30)
    expect(held).toBeGreaterThan(3)
  })
})

describe('the named groups of an expression', () => {
  it.each([
    ['^(?<a>x+)(?P<b>y)?', 'xx', { a: 'xx', b: null }],
    ['(?<a>x*)', 'y', { a: '' }],
    ['(x)', 'x', {}],
    ['(?<a>x)', 'y', undefined],
  ])('of %s in %j are %j', (source, text, groups) => {
    expect(expressionPattern(source).groups?.(text)).toEqual(groups)
  })
  it('are not read in a text that is too long to be matched', () => {
    expect(expressionPattern('(?<a>x)').groups?.('x'.repeat(100_001))).toBeUndefined()
  })
  it('cost the steps of a second match, and a quarter of one for each group', () => {
    const [plain, named] = ['(a)(b)(c)(d)', '(?<a>a)(b)(c)(d)'].map(
      (each) => expressionPattern(each).steps('x'.repeat(1000)) - 32,
    )
    expect(Number(named) / Number(plain)).toBe(3)
  })
})

describe('a pattern', () => {
  it.each([
    ['hotel/*', 'hotel/app', true],
    ['hotel/*', 'hotel/deep/app', false],
    ['hotel/**', 'hotel/deep/app', true],
    ['hotel/app', 'Hotel/APP', true],
    ['hotel/*', 'hotel.evil/app', false],
    ['hotel/*', 'evil/hotel/app', false],
    ['{hotel,motel}/app', 'motel/app', true],
    ['hotel/.*', 'hotel/.github', true],
  ])('%s and the project %s: %s', (pattern, path, fits) => {
    expect(fitsProject([pattern], path)).toBe(fits)
  })
  it('is one of several', () => {
    expect(fitsProject(['a/*', 'b/*'], 'b/c')).toBe(true)
    expect(fitsProject([], 'b/c')).toBe(false)
  })
})

it.each([['{a,b}'.repeat(20)], ['a'.repeat(301)], [''], [7], [[]], [{ a: 1 }]])('%j is refused', (value) => {
  const issues: Issue[] = []
  expect(projectPatterns.read(value, ['projects'], issues)).toBeUndefined()
  expect(issues).toHaveLength(1)
})
