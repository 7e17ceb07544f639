// Which code owners have not approved: CODEOWNERS, changed files and approvers → what is missing, or unknown.
import { LONGEST_CODE_OWNERS } from '../../../../src/rules/code-owners/read-code-owners.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import { decoded } from '../../../../src/rules/facts/definition/code-owners.ts'
import type { DecideInput, SourceAnswers } from '../../../../src/rules/types.ts'
import { answer, answers, change, changesAnswer, decideRule, head, needsOf, refused } from '../../world.ts'

const ids = ['alice', 'bob', 'carol', 'dora', 'erin', 'finn']
const person = (username: string, access_level = 30) => ({
  ...{ id: 2 + ids.indexOf(username), username, state: 'active', access_level },
})
const base64 = (text: string) => ({ content: Buffer.from(text).toString('base64') })
const pushes = [{ from: null, to: head, by: person('alice') }]

/** acme/docs has carol, and acme/big more people than are read; dora is a Maintainer of the project, erin its Owner. */
const service: SourceAnswers = {
  'groupDirectMembers@acme': answer([person('finn')]),
  'groupDirectMembers@acme/docs': answer([person('carol')]),
  'groupDirectMembers@acme/big': answer([person('carol')], false),
  'groupDirectMembers@acme/hidden': refused(404),
  projectMembers: answer([person('dora', 40), person('erin', 50)]),
}

interface Case {
  owners: string
  files?: string[]
  by: string[]
  changes?: Partial<DecideInput>
  other?: SourceAnswers
}

function traces({ owners, files = ['src/door.ts'], by, changes = {}, other = {} }: Case) {
  const given: SourceAnswers = {
    ...service,
    changes: changesAnswer(files.map((path) => change(path))),
    approvals: answer({ approved_by: by.map((name) => ({ user: person(name) })) }),
    'codeOwners@CODEOWNERS': answer(base64(owners)),
    ...other,
  }
  const of = (condition: string) =>
    decideRule(condition, '{ subscribe: true }', {
      answers: answers({}, given),
      memory: { ...emptyMemory(), pushes },
      ...changes,
    }).rules[0]?.conditions
  return { approved: of('{ code_owners_approved: true }'), missing: of('{ code_owners_missing: { none: "*" } }') }
}

/** What is missing, or unknown; `none` if the owners have approved. Both facts say the same. */
function lacking(given: Case): string | undefined {
  const { approved, missing } = traces(given)
  expect([approved?.verdict, missing?.verdict]).toEqual([approved?.verdict, approved?.verdict])
  if (approved?.verdict === 'true') return 'none'
  if (approved?.verdict === 'unknown') return approved.actual
  expect(missing?.toFix).toBe(approved?.toFix)
  return approved?.toFix
}

const docs = '[docs]\n*.md @bob @acme/docs'
const readme = ['README.md']

const table: [string, Case, string][] = [
  ['nobody has approved', { owners: docs, files: readme, by: [] }, 'docs: needs 1 of @bob, @acme/docs'],
  ['a named owner has', { owners: docs, files: readme, by: ['bob'] }, 'none'],
  ['a direct member of a group has', { owners: docs, files: readme, by: ['carol'] }, 'none'],
  ['somebody else has', { owners: docs, files: readme, by: ['dora'] }, 'docs: needs 1 of @bob, @acme/docs'],
  ['its author is the owner', { owners: '* @alice', by: ['alice'] }, 'CODEOWNERS: needs 1 of @alice'],
  ['names differ in case', { owners: '* @BOB', by: ['bob'] }, 'none'],
  ['no section owns a changed file', { owners: docs, by: [] }, 'none'],
  [
    'the last entry of a section counts',
    { owners: '* @bob\n/src/ @carol', by: ['bob'] },
    'CODEOWNERS: needs 1 of @carol',
  ],
  [
    'several entries lack approvals',
    { owners: '*.ts @bob\n*.md @carol', files: ['a.ts', 'b.md'], by: [] },
    'CODEOWNERS: needs 1 of @bob and 1 of @carol',
  ],
  [
    'several sections lack approvals',
    { owners: `* @bob\n${docs}`, files: readme, by: ['dora'] },
    'CODEOWNERS: needs 1 of @bob; docs: needs 1 of @bob, @acme/docs',
  ],
  ['one approval is for several sections', { owners: `* @bob\n${docs}`, files: readme, by: ['bob'] }, 'none'],
  ['a section is optional', { owners: '^[docs]\n* @bob', by: [] }, 'none'],
  ['it is required elsewhere', { owners: '^[docs]\n* @bob\n[DOCS]\nx @bob', by: [] }, 'docs: needs 1 of @bob'],
  ['a section needs two', { owners: '[docs][2]\n* @bob @carol @dora', by: ['bob'] }, 'docs: needs 1 of @carol, @dora'],
  [
    'the heading names the owners',
    { owners: '[docs] @carol\n*.ts\n*.md @bob', by: ['bob'] },
    'docs: needs 1 of @carol',
  ],
  ['a file is excluded', { owners: '* @bob\n!*.ts', by: [] }, 'none'],
  ['an entry takes it from its owners', { owners: '* @bob\n*.ts', by: [] }, 'none'],
  ['an entry with its pattern follows', { owners: '!*.ts\n*.ts @bob', by: [] }, 'CODEOWNERS: needs 1 of @bob'],
  ['an entry is there again', { owners: '*.ts @bob\n/src/ @dora\n*.ts @carol', by: ['dora'] }, 'none'],
  ['a role owns it', { owners: '* @@maintainers', by: ['dora'] }, 'none'],
  ['a higher role is another one', { owners: '* @@maintainers', by: ['erin'] }, 'CODEOWNERS: needs 1 of @@maintainer'],
  ['the top-level group owns it', { owners: '* @acme', by: ['finn'] }, 'none'],
  [
    'a member of the group above is none',
    { owners: '* @acme/docs', by: ['finn'] },
    'CODEOWNERS: needs 1 of @acme/docs',
  ],
  [
    'many own it',
    { owners: `* ${Array.from({ length: 12 }, (_, at) => `@u${at}`).join(' ')}`, by: [] },
    'CODEOWNERS: needs 1 of @u0, @u1, @u2, @u3, @u4, @u5, @u6, @u7, @u8, @u9, 2 more',
  ],
]

describe('owners of the changed files', () => {
  it.each(table)('%s', (_what, given, expected) => {
    expect(lacking(given)).toBe(expected)
  })
  it('need not approve where the target branch has no CODEOWNERS file', () => {
    const { approved } = traces({ owners: '', by: [], other: { 'codeOwners@CODEOWNERS': refused(404) } })
    expect(approved).toMatchObject({ actual: 'true (the target branch has no CODEOWNERS file)' })
  })
  it('are read from the first file that there is', () => {
    const other = { 'codeOwners@CODEOWNERS': refused(404), 'codeOwners@.gitlab/CODEOWNERS': answer(base64('* @carol')) }
    expect(lacking({ owners: '', by: [], other })).toBe('CODEOWNERS: needs 1 of @carol')
  })
  it('say which approvals do not count', () => {
    expect(traces({ owners: '* @alice', by: ['alice'] }).approved?.actual).toBe('false (not counted: alice wrote it)')
  })
})

const cut = { changes: changesAnswer([change('src/door.ts')], {}, false) }
const unknown: [string, Case, string][] = [
  [
    'a group that Bellhop cannot see',
    { owners: '* @acme/hidden', by: ['bob'] },
    'CODEOWNERS: who is in @acme/hidden cannot be read',
  ],
  [
    'a group of others',
    { owners: '* @other/docs', by: ['bob'] },
    'CODEOWNERS: other/docs is not in the project’s own top-level group: the operator’s policy allows others with groups: any',
  ],
  [
    'a group with more members than are read',
    { owners: '* @acme/big', by: ['bob'] },
    'CODEOWNERS: @acme/big has more members than are read',
  ],
  [
    'an address',
    { owners: '* bob@example.com', by: ['bob'] },
    'CODEOWNERS: whose address bob@example.com is cannot be read: name the user in its place',
  ],
  [
    'an error in CODEOWNERS',
    { owners: '* @bob and carol', by: ['bob'] },
    'CODEOWNERS: the file has an error in line 1: "and" is no owner: write @name, @group, @@role or an address',
  ],
  ['a binary CODEOWNERS', { owners: '* @bob\0', by: ['bob'] }, 'of CODEOWNERS, a binary file is not read'],
  [
    'a CODEOWNERS that is too long',
    { owners: '* @bob\n'.repeat(LONGEST_CODE_OWNERS / 7 + 1), by: ['bob'] },
    'of CODEOWNERS, a file of more than 200000 characters is not read',
  ],
  [
    'a CODEOWNERS that is refused',
    { owners: '', by: ['bob'], other: { 'codeOwners@CODEOWNERS': refused(403) } },
    'CODEOWNERS of the target branch cannot be read',
  ],
  ['changed files that are cut', { owners: '*.md @bob', by: ['bob'], other: cut }, 'the list of changed files is cut'],
  ['approvals that are refused', { owners: '* @bob', by: [], other: { approvals: refused(403) } }, '403'],
  [
    'an approval that may not count',
    {
      owners: '* @bob',
      by: ['bob'],
      changes: { memory: { ...emptyMemory(), pushes: [{ from: null, to: head, by: {} }] } },
    },
    'CODEOWNERS: bob may have pushed to it: a push names no user',
  ],
  [
    'many groups',
    {
      owners: `* ${Array.from({ length: 40 }, () => '@acme')
        .map((each, at) => `${each}/${at}`)
        .join(' ')}`,
      by: ['bob'],
      other: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`groupDirectMembers@acme/${at}`, answer([])])),
    },
    'CODEOWNERS: more than 30 groups are not read',
  ],
]

describe('what cannot be known', () => {
  it.each(unknown)('because of %s is unknown', (_what, given, expected) => {
    expect(lacking(given)).toBe(`unknown: ${expected}`)
  })
  it.each([
    [
      'next to many names',
      { owners: `* ${Array.from({ length: 99 }, (_, at) => `@u${at}`).join(' ')} @acme/docs`, by: ['carol'] },
    ],
    ['in a group that is cut', { owners: '* @acme/big', by: ['carol'] }],
    ['next to an owner who has approved', { owners: '* @acme/hidden @other/docs bob@example.com @bob', by: ['bob'] }],
  ])('does not matter %s', (_where, given) => {
    expect(lacking(given)).toBe('none')
  })
  it('is shown next to what is missing', () => {
    const given = { owners: '[a]\n* @acme/hidden\n[b]\n* @carol', by: ['bob'] }
    expect(lacking(given)).toBe('b: needs 1 of @carol; a: who is in @acme/hidden cannot be read')
    expect(traces(given).missing?.actual).toBe(
      '"b: needs 1 of @carol" (and more: a: who is in @acme/hidden cannot be read)',
    )
  })
  it('is a group of others, unless the policy allows all groups', () => {
    const changes: Partial<DecideInput> = { policy: { mode: 'act', groups: 'any' } }
    const other = {
      ...{ 'groupDirectMembers@other/docs': answer([person('bob')]), 'groupDirectMembers@nobody': refused(404) },
      ...{
        'groupDirectMembers@carol': refused(404),
        'user@carol': answer([person('carol')]),
        'user@nobody': answer([]),
      },
    }
    expect(lacking({ owners: '* @other/docs', by: ['bob'], changes, other })).toBe('none')
    expect(lacking({ owners: '* @carol', by: ['bob'], changes, other })).toBe('CODEOWNERS: needs 1 of @carol')
    expect(lacking({ owners: '* @nobody', by: ['bob'], changes, other })).toContain('who is in @nobody cannot be read')
  })
})

it.each([
  ['is no group before somebody has approved', '* @acme/docs', [], []],
  ['is no group if a named owner has approved', '* @acme/docs @bob', ['bob'], []],
  ['is no group if nobody owns the files', '*.md @acme/docs', ['bob'], []],
  ['is a group that may have the approver', '* @acme/docs', ['bob'], ['groupDirectMembers@acme/docs']],
])('what is read %s', (_what, owners, by, expected) => {
  const approvals = answer({ approved_by: by.map((name) => ({ user: person(name) })) })
  const given = answers({}, { approvals, 'codeOwners@CODEOWNERS': answer(base64(owners)) })
  expect(needsOf('{ code_owners_approved: true }', '{ subscribe: true }', given)).toEqual(expected)
})

it('a file with many default owners is read to its end: for each entry that would take minutes', () => {
  const names = Array.from({ length: 200 }, (_, at) => `${at}.ts`)
  const by = Array.from({ length: 100 }, () => 'dora')
  const owners = [`[a][101] ${'@b '.repeat(60_000)}`, ...names].join('\n')
  expect(lacking({ owners, files: names, by })).toContain('a: needs 101 of @b')
})

it('a file is read from base64, and not where it is none or too long', () => {
  expect(decoded(base64('* @ünï'))).toBe('* @ünï')
  expect([decoded({ content: '%' }), decoded({}), decoded(base64('a'.repeat(2 * LONGEST_CODE_OWNERS)))]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
