// Reading CODEOWNERS: sections, entries and owners, and what is left aside with its line.
import fc from 'fast-check'
import { LONGEST_CODE_OWNERS, readCodeOwners } from '../../../src/rules/code-owners/read-code-owners.ts'

const sections = (...lines: string[]) => readCodeOwners(lines.join('\n')).sections
const problems = (...lines: string[]) => readCodeOwners(lines.join('\n')).problems
const entries = (...lines: string[]) => sections(...lines).flatMap((each) => each.entries)

describe('an entry', () => {
  it('names users, groups, roles and addresses', () => {
    expect(entries('* @alice @team/back-end\t@@maintainers dora@example.com')).toEqual([
      {
        pattern: '*',
        excludes: false,
        required: 1,
        owners: [{ name: 'alice' }, { name: 'team/back-end' }, { role: 'maintainer' }, { email: 'dora@example.com' }],
      },
    ])
  })
  it.each([
    ['path\\ with\\ spaces/ @alice', 'path with spaces/'],
    ['\\#pound.rb @alice', '#pound.rb'],
    [
      'a/weird\\ path\\ with/\\ @username\\ /\\ mail@example.com\\ / @alice',
      'a/weird path with/ @username / mail@example.com /',
    ],
    ['  *.rb   @alice  ', '*.rb'],
  ])('%s is of %s', (line, pattern) => {
    expect(entries(line)).toEqual([{ pattern, excludes: false, required: 1, owners: [{ name: 'alice' }] }])
  })
  it('with ! excludes, without owners', () => {
    expect(entries('!pom.xml', '!/config/**/*.rb @alice')).toMatchObject([
      { pattern: 'pom.xml', excludes: true, owners: [] },
      { pattern: '/config/**/*.rb', excludes: true, owners: [] },
    ])
  })
  it('is neither a comment nor an empty line', () => {
    expect(entries('# @alice', '', '   ', '  # more')).toEqual([])
  })
})

describe('a section', () => {
  it('is required, optional, or with default owners', () => {
    expect(
      sections('* @all', '[One]', 'a @alice', '^[Two] @bob', 'b', 'c @carol', '[Three words][2] @dora', 'd'),
    ).toEqual([
      { name: '', optional: false, entries: [expect.objectContaining({ owners: [{ name: 'all' }] })] },
      {
        name: 'One',
        optional: false,
        entries: [expect.objectContaining({ owners: [{ name: 'alice' }] })],
      },
      {
        ...{ name: 'Two', optional: true },
        entries: [
          expect.objectContaining({ owners: [{ name: 'bob' }] }),
          expect.objectContaining({ owners: [{ name: 'carol' }] }),
        ],
      },
      {
        ...{ name: 'Three words', optional: false },
        entries: [expect.objectContaining({ owners: [{ name: 'dora' }] })],
      },
    ])
  })
  it('of a name that was there, in any case, goes on, and is required if one of them is', () => {
    const [, docs, ...more] = sections('^[Docs] @alice', 'a', '[Ruby]', 'x @carol', '[DOCS][3]', 'b')
    expect(docs).toMatchObject({
      name: 'Docs',
      optional: false,
      entries: [{ pattern: 'a' }, { pattern: 'b' }],
    })
    expect(docs?.entries.map(({ owners }) => owners)).toEqual([[{ name: 'alice' }], [{ name: 'alice' }]])
    expect(more).toHaveLength(1)
  })
})

it('how many must approve is as the heading before an entry says', () => {
  const all = entries('* @all', '[Two][2] @bob', 'a', '[One] @bob', 'b', '[two][3]', 'c', '^[Any][9]', 'd @carol')
  expect(all.map(({ pattern, required }) => [pattern, required])).toEqual([
    ...[
      ['*', 1],
      ['a', 2],
      ['c', 3],
      ['b', 1],
      ['d', 9],
    ],
  ])
})

describe('an entry whose owners may be others than are meant', () => {
  it.each([
    ['names something else', ['a alice @bob'], 'line 1: "alice" is no owner'],
    ['has such default owners', ['[Docs] alice', 'a'], 'line 1: "alice" is no owner'],
    ['is below a broken heading', ['[Docs', 'a @bob'], 'line 1: a section heading without a name'],
  ])('%s', (_what, lines, problem) => {
    expect(entries(...lines).at(-1)?.problem).toContain(problem)
  })
  it('does not follow the next heading, or name its own owners', () => {
    expect(entries('[Docs', '[More]', 'a @bob')[1]?.problem).toBeUndefined()
    expect(entries('[Docs] alice', 'a @bob')[0]?.problem).toBeUndefined()
  })
})

describe('a line with an error', () => {
  it.each([
    ['a', '"a" has no owner'],
    ['a alice', '"alice" is no owner'],
    ['a @@guest', '"@@guest" is no owner'],
    ['a @alice # why', '"#" is no owner'],
    ['[Section', 'a section heading without a name'],
    ['[] @alice', 'a section heading without a name'],
    ['[Docs][0]', 'a section requires at least 1 approval'],
    ['[abc].md @alice', '".md" is no owner'],
  ])('%s is shown with its line', (line, problem) => {
    expect(problems('# one', '', line)[0]).toEqual({ line: 3, problem: expect.stringContaining(problem) })
  })
  it('without an owner still counts as the last match', () => {
    expect(entries('a @alice', 'a')).toMatchObject([{ owners: [{ name: 'alice' }] }, { owners: [] }])
  })
  it('is shown for the first hundred lines', () => {
    expect(problems(...Array.from({ length: 500 }, () => 'a'))).toHaveLength(100)
  })
})

describe('hostile text', () => {
  it.each([
    ['longer than is read', 'a @b\n'.repeat(LONGEST_CODE_OWNERS / 5 + 1), 'is not read'],
    ['binary', 'a @b\0', 'a binary file is not read'],
  ])('that is %s has no sections', (_what, text, problem) => {
    expect(readCodeOwners(text)).toEqual({
      sections: [],
      problems: [{ line: 1, problem: expect.stringContaining(problem) }],
      refused: expect.stringContaining(problem),
    })
  })
  it('never throws', () => {
    const line = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[[\]^!#\\ @a/*.0-9]{0,20}$/),
      fc.constantFrom('[A][2] @b', '^[A]', '!a', '\\', '[', ']', '@', '@@'),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const read = readCodeOwners(lines.join('\n'))
        expect(
          read.problems.every((each) => each.line >= 1 && each.line <= lines.join('\n').split(/\r\n|\r|\n/).length),
        ).toBe(true)
        // Each owner is a name that can be looked up.
        for (const { owners } of read.sections.flatMap((each) => each.entries))
          for (const owner of owners) if ('name' in owner) expect(owner.name).toMatch(/^[\w.][\w./-]*$/)
      }),
    )
  })
  it.each([
    ['one line', (size: number) => `a ${'@'.repeat(size)}`],
    ['spaces', (size: number) => `a${' '.repeat(size)}@b`],
    ['brackets', (size: number) => '['.repeat(size)],
    ['backslashes', (size: number) => '\\'.repeat(size)],
    ['dots behind a name', (size: number) => `a @b${'.'.repeat(size)}x`],
    ['slashes', (size: number) => `a @b${'/b'.repeat(size / 2)}`],
    ['lines', (size: number) => 'a\n'.repeat(size / 2)],
  ])('of %s is read to its end: in quadratic time that would take minutes', (_what, make) => {
    expect(readCodeOwners(make(LONGEST_CODE_OWNERS - 10))).toBeDefined()
  })
})
