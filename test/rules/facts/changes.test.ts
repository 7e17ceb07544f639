// Changed files and lines; a list that is cut settles only what more cannot change.
import { actualOf, unsaid } from '../actual.ts'
import { answer, answers, change, changesAnswer, head, verdictOf } from '../world.ts'

const changes = (list: unknown, more: Record<string, unknown> = {}, complete = true) =>
  answers({}, { changes: changesAnswer(list, more, complete) })
const cutOff = '(and more: the service cut it off)'

describe('changed_files', () => {
  it.each([
    ['are the changed paths', changes([change('a'), change('b')]), '"a", "b"'],
    ['are both paths of a renamed file', changes([change('b', 'a')]), '"a", "b"'],
    [
      'name once a file that became a link, which services tell as gone and made anew',
      changes([
        { ...change('a'), deleted_file: true },
        { ...change('a'), new_file: true },
      ]),
      '"a"',
    ],
    ['of an overflowing list are cut', changes([change('a')], { overflow: true }), `"a" ${cutOff}`],
    ['of a list that says 1000+ are cut', changes([change('a')], { changes_count: '1000+' }), `"a" ${cutOff}`],
    ['of a list shorter than its count are cut', changes([change('a')], { changes_count: '2' }), `"a" ${cutOff}`],
    ['of a list that was not read to its end are cut', changes([change('a')], {}, false), `"a" ${cutOff}`],
    ['without a path are unknown', changes([{ new_path: 'a' }]), unsaid],
    ['that are no list are unknown', changes({ length: 1 }), unsaid],
  ])('%s', (_what, given, expected) => {
    expect(actualOf('changed_files: x', {}, {}, { answers: given })).toBe(expected)
  })
  it.each([
    ['{ any: a }', 'true'],
    ['{ any: z }', 'unknown'],
    ['{ all: a }', 'unknown'],
    ['{ all: z }', 'false'],
    ['{ none: a }', 'false'],
    ['{ none: z }', 'unknown'],
  ])('%s of a list that is cut is %s', (condition, verdict) => {
    expect(verdictOf(`{ changed_files: ${condition} }`, { answers: changes([change('a')], { overflow: true }) })).toBe(
      verdict,
    )
  })
  it('all of no files is false: no changes yet is not "only documentation"', () => {
    expect(verdictOf('{ changed_files: { all: "docs/**" } }', { answers: changes([]) })).toBe('false')
  })
})

describe('changed_files_count', () => {
  it.each([
    ['12', '12'],
    ['1000+', `1000 ${cutOff}`],
    [12, unsaid],
    [null, unsaid],
  ])('of %j is %s', (changes_count, expected) => {
    expect(actualOf('changed_files_count: 1', { changes_count })).toBe(expected)
  })
  it.each([
    ['{ at_least: 500 }', 'true'],
    ['{ more_than: 1000 }', 'unknown'],
    ['{ at_most: 500 }', 'false'],
    ['{ less_than: 2000 }', 'unknown'],
    ['5', 'false'],
  ])('%s of 1000+ is %s', (condition, verdict) => {
    expect(verdictOf(`{ changed_files_count: ${condition} }`, { answers: answers({ changes_count: '1000+' }) })).toBe(
      verdict,
    )
  })
})

it.each([
  [
    'counts added and removed lines',
    changes([change('a', 'a', '--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n+y\n+z\n same')]),
    '3',
  ],
  [
    'counts changed lines that look like the head of a diff',
    changes([change('a', 'a', '--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n--- x\n+++ y\n+++ z\n same')]),
    '3',
  ],
  ['counts none of a head alone', changes([change('a', 'a', '--- a/a\n+++ b/a\n')]), '0'],
  ['is a lower bound where a diff is empty without a word', changes([change('a', 'a', '')]), `0 ${cutOff}`],
  [
    'is known where the service says that an empty diff is whole',
    changes([{ ...change('a', 'b', ''), collapsed: false, too_large: false }]),
    '0',
  ],
  ['is a lower bound where a diff is left out', changes([{ ...change('a'), too_large: true }]), `2 ${cutOff}`],
  ['is a lower bound where a diff is folded', changes([{ ...change('a'), diff: '', collapsed: true }]), `0 ${cutOff}`],
  ['is a lower bound where a diff is missing', changes([{ old_path: 'a', new_path: 'a' }]), `0 ${cutOff}`],
])('lines_changed %s', (_what, given, expected) => {
  expect(actualOf('lines_changed: 1', {}, {}, { answers: given })).toBe(expected)
})

/** The newest is the head. */
const commits = (list: unknown, complete = true) => {
  const [newest, ...others] = Array.isArray(list) ? (list as unknown[]) : []
  return answers(
    {},
    {
      commits: answer(newest === undefined || newest === null ? list : [{ id: head, ...newest }, ...others], complete),
    },
  )
}
const conventional = '{ commit_messages: { all: { matches: "^(feat|fix): " } } }'
const plain = '{ commit_titles: { none: { matches: "^fixup!" } } }'
const ours = '{ commit_authors: { all: "*@example.com" } }'

describe('commits', () => {
  it.each([
    [conventional, [{ message: 'feat: a\n\nlong' }, { message: 'fix: b' }], 'true'],
    [conventional, [{ message: 'feat: a' }, { message: 'oops' }], 'false'],
    [conventional, [{ title: 'feat: a' }], 'true'],
    [conventional, [{}], 'unknown'],
    [conventional, [null], 'unknown'],
    [conventional, [], 'unknown'],
    ['{ commits_count: 0 }', [], 'unknown'],
    [ours, [{ author_email: 'a@example.com' }], 'true'],
    [ours, [{ author_email: 'a@example.com' }, { author_email: 'b@evil.com' }], 'false'],
    [ours, [{ author_email: null }], 'unknown'],
    [plain, [{ title: 'Add a door' }, { title: 'Paint it' }], 'true'],
    [plain, [{ title: 'Add a door' }, { title: 'fixup! Add a door' }], 'false'],
    [plain, [{ message: 'Add a door' }], 'unknown'],
    ['{ commits_count: 2 }', [{}, {}], 'true'],
    ['{ commits_count: { less_than: 2 } }', [{}, {}], 'false'],
  ])('%s of %j is %s', (conditions, list, verdict) => {
    expect(verdictOf(conditions, { answers: commits(list) })).toBe(verdict)
  })
  it('of a list that was not read to its end are unknown, unless one contradicts', () => {
    expect(verdictOf(ours, { answers: commits([{ author_email: 'a@example.com' }], false) })).toBe('unknown')
    expect(verdictOf(ours, { answers: commits([{ author_email: 'b@evil.com' }], false) })).toBe('false')
    expect(verdictOf('{ commits_count: { at_most: 1 } }', { answers: commits([{}], false) })).toBe('unknown')
    expect(verdictOf('{ commits_count: { at_least: 1 } }', { answers: commits([{}], false) })).toBe('true')
  })
  it('of more than one page are not known to be all: the next page shows no head', () => {
    const page = (length: number) => commits(Array.from({ length }, () => ({ author_email: 'a@example.com' })))
    expect([99, 100].map((length) => verdictOf(ours, { answers: page(length) }))).toEqual(['true', 'unknown'])
  })
})
