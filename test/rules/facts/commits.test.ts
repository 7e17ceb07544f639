// Messages and authors of the commits.
import { answer, answers, head, verdictOf } from '../world.ts'

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
    [conventional, {}, 'unknown'],
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
