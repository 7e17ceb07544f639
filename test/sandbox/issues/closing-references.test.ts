// What texts say they close, by the default pattern of real installations.
import {
  type ClosingReference,
  closingReferences,
  issueReferences,
} from '../../../src/sandbox/issues/closing-references.ts'

const url = 'http://forge.example:8080'
const written = ({ path, iid }: ClosingReference) => `${path ?? ''}#${iid}`
const closed = (text: string) => closingReferences(text, url).map(written)

test.each([
  ['Closes #1', ['#1']],
  ['close #1', ['#1']],
  ['closed #1, closing #2', ['#1', '#2']],
  ['Fix #1', ['#1']],
  ['Fixes #2, #3', ['#2', '#3']],
  ['fixed: #4', ['#4']],
  ['fixing #5 and #6', ['#5', '#6']],
  ['Resolves #1, #2, and #3', ['#1', '#2', '#3']],
  ['resolve issue #7', ['#7']],
  ['Implements issues #8, #9', ['#8', '#9']],
  ['This commit closes #1.\n\nAlso fixes group/app#4', ['#1', 'group/app#4']],
  ['resolves app#4', ['app#4']],
  ['Closes a/b/c-d.e#10', ['a/b/c-d.e#10']],
  [`Closes ${url}/group/app/-/issues/3, ${url}/group/app/issues/4.`, ['group/app#3', 'group/app#4']],
  [`Closes ${url}/group/app/-/issues/3#note_12`, ['group/app#3']],
  ['(fixes #1)', ['#1']],
])('%j closes %j', (text, wanted) => {
  expect(closed(text)).toEqual(wanted)
})

test.each([
  '',
  'See #1',
  'Closes 1',
  'Closes#1',
  'Encloses #1',
  'CLOSES #1',
  'Closes issue number one #1',
  'Closes #1abc',
  'Closes !1',
  'Closes\n#1',
  'Closes http://elsewhere.example/group/app/-/issues/3',
  `Closes ${url}/group/app/-/merge_requests/3`,
  `Closes ${url}.evil.example/group/app/-/issues/3`,
  'Closes abc-123',
])('%j closes nothing', (text) => {
  expect(closed(text)).toEqual([])
})

test.each([
  ['blanks', `Closes #1${' '.repeat(1_000_000)}`, 1],
  ['a path', `Closes ${'a/'.repeat(500_000)}`, 0],
  ['an address', `Closes ${url}/${'a/issues/'.repeat(100_000)}`, 0],
  ['keywords', 'Closes '.repeat(150_000), 0],
  ['mentions', 'Closes #1, '.repeat(90_000), 90_000],
])('a megabyte of %s is read to its end', (_what, text, count) => {
  expect(closed(text)).toHaveLength(count)
})

test.each([
  ['See #1, #2', ['#1', '#2']],
  ['(#3) and group/app#4', ['#3', 'group/app#4']],
  [`${url}/group/app/-/issues/5`, ['group/app#5']],
  ['a#6', ['a#6']],
  ['#7a, ##8, !9, ABC-10', []],
  ['https://elsewhere.example/x#11', []],
])('%s mentions %j', (text, mentioned) => {
  expect(issueReferences(text, url).map(written)).toEqual(mentioned)
})

test('mentions are found in linear time', () => {
  for (const text of ['a/'.repeat(300_000), '#'.repeat(500_000), 'a.'.repeat(300_000), 'https://'.repeat(60_000)])
    expect(issueReferences(text, url)).toEqual([])
})
