// version_change: what Renovate and Dependabot write, and what hostile texts can make of it.

import fc from 'fast-check'
import { LONGEST_UPDATE, readVersionChange, type UpdateTexts } from '../../../src/rules/facts/dependency-updates.ts'
import { anyText } from '../../any-text.ts'
import { actualOf } from '../actual.ts'

it.each([
  [{ title: 'Bump a from 1.0.0 to 1.0.1', description: null }, '"patch"'],
  [{ title: 'Bump a from 1.0.0 to 1.1.0', description: '' }, '"minor"'],
  [{ title: 'Fix the door' }, /^unknown: its title and description state no two versions/],
  [{ title: undefined }, /^unknown: the hosting service does not say its texts/],
  [{ title: 'Bump a from 1.0.0 to 1.0.1', description: ['a'] }, /^unknown: the hosting service does not say its texts/],
])('version_change of %j', (fields, expected) => {
  const actual = actualOf('version_change: patch', fields)
  if (typeof expected === 'string') expect(actual).toBe(expected)
  else expect(actual).toMatch(expected)
})

it('a rule for all but major updates is unknown where the change is not clear, and so never acts', () => {
  expect(actualOf('version_change: { not: major }', { title: 'Update dependency a to v2' })).toMatch(/^it is unknown$/)
})

const changeIn = (texts: Partial<UpdateTexts>) => {
  const found = readVersionChange({ title: '', description: '', branch: '', ...texts })
  return 'change' in found ? found.change : 'unknown'
}

const link = (text: string) => `[${text}](https://example.com/diffs/npm/a%2fb/1/2)`
/** A merge request of Renovate; `rows` are the cells behind the package. */
const renovate = (rows: string[], header = 'Type | Update | Change', more = '') =>
  `This MR contains the following updates:\n\n| Package | ${header} |\n|${header.replace(/[^|]+/g, '---')}|---|\n${rows
    .map((row) => `| ${link('a')} (${link('source')}) | ${row} |\n`)
    .join('')}\n---\n\n### Release Notes\n\n${more}`
const changes = (...each: string[]) =>
  renovate(
    each.map((change) => `${change} | ${link('![age](x)')}`),
    'Change | Age',
  )
const dependabot = (...lines: string[]) =>
  `Bumps ${link('a')} and ${link('b')}. These\n\n${lines.join('\n<details>\n</details>\n\n')}`

describe('an update by Renovate', () => {
  it.each([
    ['a patch', 'Update dependency a to v1.2.4', changes(`${link('`1.2.3` -> `1.2.4`')}`), 'renovate/a-1.x', 'patch'],
    ['a major', 'Update dependency a to v2', changes('`1.2.3` -> `2.0.0`'), 'renovate/a-2.x', 'major'],
    ['one number', 'Update node to v18', changes('`17` -> `18`'), 'renovate/node-18.x', 'major'],
    [
      'columns for both versions',
      'Update a',
      renovate(['`1.0.0` | `1.0.2`'], 'Current value | New value'),
      '',
      'patch',
    ],
    ['the column Update', 'Update a', renovate(['dev | patch | `1.0.0` -> `1.0.2`']), '', 'patch'],
    [
      'a group: the largest',
      'Update all',
      changes('`1.0.0` -> `1.0.1`', '`1.0.0` -> `1.1.0`'),
      'renovate/all',
      'minor',
    ],
    ['a longer version', 'Update a', changes('`1.2.3` -> `1.2.3.1`'), '', 'patch'],
    ['zeros', 'Update a', changes('`2024.01` -> `2024.1.2`'), '', 'patch'],
  ])('of %s', (_what, title, description, branch, expected) => {
    expect(changeIn({ title, description, branch })).toBe(expected)
  })
  it.each([
    ['a digest', 'Update a digest to abcdef1', changes('`1234abc` -> `abcdef1`')],
    ['a pin', 'Pin a', renovate(['dev | pin | `^1.7.0` -> `1.7.0`'])],
    ['locks', 'Lock file maintenance', '| Update | Change |\n|---|---|\n| lockFileMaintenance | All locks refreshed |'],
    [
      'locks among others',
      'Update all',
      renovate(['dev | patch | `1.0.0` -> `1.0.1`', ' | lockFileMaintenance | All locks refreshed']),
    ],
    ['another package', 'Replace a', renovate(['dev | replacement | `1.0.0` -> `1.0.1`'])],
    [
      'another package without a column for it',
      'Replace a',
      changes('`1.0.0` -> `1.0.1`').replace('(https', '(x) -> [b](https'),
    ],
    ['a preview', 'Update a to v1.0.0-rc.2', changes('`1.0.0-rc.1` -> `1.0.0-rc.2`')],
    ['no table', 'Update dependency a to v1.2.3', ''],
    ['no change', 'Update a', changes('`1.0.0` -> `1.0.0`')],
    ['one that cannot be read among others', 'Update all', changes('`1.0.0` -> `1.0.1`', '`abcdef1` -> `abcdef2`')],
  ])('of %s is unknown', (_what, title, description) => {
    expect(changeIn({ title, description })).toBe('unknown')
  })
})

describe('an update by Dependabot', () => {
  const one = (from: string, to: string) => ({
    title: `build(deps): bump a from ${from} to ${to} in /web`,
    description: `Bumps ${link('a')} from ${from} to ${to}.\n\n<details>\n<li>Bump b from 1.0 to 2.0</li></details>`,
    branch: `dependabot/npm_and_yarn/web/a-${to}`,
  })
  it.each([
    ['1.0.0', '1.0.1', 'patch'],
    ['1.9.9', '2.0.0', 'major'],
    ['2.0.0', '1.9.9', 'major'],
    ['~> 1.0', '~> 1.1', 'minor'],
  ])('from %s to %s is %s', (from, to, expected) => {
    expect(changeIn(one(from, to))).toBe(expected)
  })
  it.each([
    ['the largest', ['Updates `a` from 1.0.0 to 1.0.1', 'Updates `b` from 2.0.0 to 2.1.0'], 'minor'],
    [
      'unknown where one cannot be read',
      ['Updates `a` from 1.0.0 to 1.0.1', 'Updates `b` from 2.x to 2.1.0'],
      'unknown',
    ],
  ])('of two at once is %s', (_what, lines, expected) => {
    expect(changeIn({ title: 'Bump a and b', description: dependabot(...lines) })).toBe(expected)
  })
  it('of a group is that of its table, which must list as many as the title states', () => {
    const description = `Bumps the x group with 2 updates:\n\n| Package | From | To |\n| --- | --- | --- |\n| ${link('a')} | \`1.0.0\` | \`1.0.1\` |\n| ${link('b')} | \`1.0\` | \`1.1\` |\n`
    const titled = (count: number) => changeIn({ title: `Bump the x group with ${count} updates`, description })
    expect([titled(2), titled(3)]).toEqual(['minor', 'unknown'])
  })
})

describe('hostile text', () => {
  const patch = changes('`1.0.0` -> `1.0.1`')
  it.each([
    ['a title that says less than the table', 'Bump a from 1.0.0 to 1.0.1', changes('`1.0.0` -> `2.0.0`'), '', 'major'],
    ['a title that says more than the table', 'Bump a from 1.0.1 to 2.0.0', patch, '', 'major'],
    ['a title that calls itself a patch', 'Update a (patch)', changes('`1.0.0` -> `2.0.0`'), '', 'major'],
    ['a title that names another new version', 'Update dependency a to v2', patch, '', 'unknown'],
    ['a title that names a major', 'Update a (major)', patch, '', 'major'],
    ['a branch of another new version', 'Update a', patch, 'renovate/a-2.x', 'unknown'],
    ['a branch of Dependabot with another new version', 'Update a', patch, 'dependabot/npm/a-1.1.0', 'unknown'],
    ['a title that names a major, without versions', 'Update a (major)', '', '', 'major'],
    ['a branch of a major group', 'Update a', patch, 'renovate/major-all', 'major'],
    [
      'a column that says more than the versions',
      'Update a',
      renovate(['dev | major | `1.0.0` -> `1.0.1`']),
      '',
      'major',
    ],
    ['a second table', 'Update a', `${patch}\n${changes('`1.0.0` -> `3.0.0`')}`, '', 'major'],
    ['release notes alone', 'Update all', `### Notes\n${patch}\nBumps a from 1.0.0 to 1.0.1`, '', 'unknown'],
    [
      'a line of Dependabot in the notes of Renovate',
      'Update all',
      'Notes\nUpdates a from 1.0.0 to 1.0.1',
      '',
      'unknown',
    ],
    [
      'release notes with more',
      'Update a',
      renovate(['`1.0.0` -> `1.0.1`'], 'Change', 'Bumps b from 1.0 to 1.1'),
      '',
      'minor',
    ],
    [
      'a table of something else',
      'Update a',
      '| Change | Note |\n|---|---|\n| `1.0.0` -> `1.0.1` | x |',
      '',
      'unknown',
    ],
  ])('%s', (_what, title, description, branch, expected) => {
    expect(changeIn({ title, description, branch })).toBe(expected)
  })

  const ORDER = ['patch', 'minor', 'major', 'unknown']
  const version = fc.stringMatching(/^v?\d{1,2}(\.\d{1,2}){0,3}(-rc1)?$/)
  const row = fc.tuple(version, version).map(([from, to]) => `\`${from}\` -> \`${to}\``)
  const anything = fc.oneof(
    anyText(),
    fc
      .array(
        fc.constantFrom(
          ...['| ', '\n', 'Package', 'Change', '->', ' from ', ' to ', '1.0', '1.1', '---|', 'Bumps ', '^', '['],
          ...['](', ')', '`', '#'],
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  )
  it('of any kind has an answer, the same each time', () => {
    fc.assert(
      fc.property(anything, anything, anything, (title, description, branch) => {
        const first = changeIn({ title, description, branch })
        expect(ORDER).toContain(first)
        expect(changeIn({ title, description, branch })).toBe(first)
      }),
    )
  })
  it('never makes the answer of the table smaller', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), anything, anything, (rows, title, branch) => {
        const description = changes(...rows)
        const [honest, hostile] = [changeIn({ description }), changeIn({ title, description, branch })]
        if (honest !== 'unknown') expect(ORDER.indexOf(hostile)).toBeGreaterThanOrEqual(ORDER.indexOf(honest))
        else expect(['unknown', 'major']).toContain(hostile)
      }),
    )
  })
  it('gets larger with each further row, and never smaller', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), row, (rows, more) => {
        const [before, after] = [
          changeIn({ description: changes(...rows) }),
          changeIn({ description: changes(...rows, more) }),
        ]
        if (before !== 'unknown') expect(ORDER.indexOf(after)).toBeGreaterThanOrEqual(ORDER.indexOf(before))
        else expect(['unknown', 'major']).toContain(after)
      }),
    )
  })
  it.each([
    ...['| ', '|-', '](', '[', '`', ' from ^', ' from 1 to ', 'Updates from 1', '-> ', '\n| a', '1.', '^', 'a'],
    ...['\n', '→'],
    ...['| Package | Change |\n', 'Bumps a from 1.0 to 1.1\n', '| Package | From | To |\n|1|1|2|\n'],
  ])('of 100,000 characters %j has an answer', (part) => {
    const text = part.repeat(Math.ceil(LONGEST_UPDATE / part.length)).slice(0, LONGEST_UPDATE)
    for (const head of ['', 'Bumps a\n', '| Package | Change |\n']) {
      expect(ORDER).toContain(changeIn({ description: `${head}${text}`.slice(0, LONGEST_UPDATE) }))
      expect(ORDER).toContain(changeIn({ title: ` to ${text}`, branch: `renovate/${text}` }))
    }
  })
  it('that is longer is not read', () => {
    expect(changeIn({ description: patch.padEnd(LONGEST_UPDATE + 1) })).toBe('unknown')
  })
})
