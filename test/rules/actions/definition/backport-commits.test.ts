// Which commits a backport picks: those that brought to the target branch what the merge request showed.
import { commitsToPick, conflict, isSameChange } from '../../../../src/rules/actions/definition/backport-commits.ts'

const [H, A, M, S, T, X] = ['a', 'b', 'c', 'd', 'e', 'f'].map((each) => each.repeat(40)) as [
  ...[string, string, string, string, string, string],
]
const commit = (id: string, ...parent_ids: unknown[]) => ({ id, parent_ids })
const line = (length: number) =>
  Array.from({ length }, (_, index) =>
    commit(index === 0 ? H : `${index}`.padEnd(40, 'b'), index + 1 === length ? T : `${index + 1}`.padEnd(40, 'b')),
  )
const project = (merge_method?: string) => ({ project: { merge_method } })
const mergeOf = (...parents: unknown[]) => ({ [`history@${M}`]: [commit(M, ...parents)] })
const historyOf = (...commits: unknown[]) => ({ [`history@${H}`]: commits })
/** Where the target branch has the head, and where it has not. */
const landed = { [`commonWithTarget@${H}`]: { id: H } }
const rebased = { [`commonWithTarget@${H}`]: { id: T } }
const picked = (isMerge: boolean, ...shas: string[]) => ({ shas, isMerge })
const [ff, merge] = [project('ff'), project('merge')]

describe('the commits to pick', () => {
  it.each<[string, object, Record<string, unknown>, unknown]>([
    ['the merge commit of the head', { merge_commit_sha: M }, { ...merge, ...mergeOf(T, H) }, picked(true, M)],
    [
      'the merge commit of the squashed commit',
      { merge_commit_sha: M, squash_commit_sha: S },
      { ...merge, ...mergeOf(T, S) },
      picked(true, M),
    ],
    [
      'the merge commit of what the service rebased',
      { merge_commit_sha: M },
      { ...project('rebase_merge'), ...mergeOf(T, X), ...rebased },
      picked(true, M),
    ],
    ['the squashed commit', { squash_commit_sha: S }, ff, picked(false, S)],
    ['the only commit', {}, { ...ff, ...landed, ...historyOf(commit(H, T)) }, picked(false, H)],
    ['each in order', {}, { ...ff, ...landed, ...historyOf(commit(H, A), commit(A, T)) }, picked(false, A, H)],
    ['all of 20', {}, { ...ff, ...landed, ...historyOf(...line(20)) }, expect.objectContaining({ isMerge: false })],
    [
      'its own where somebody pushed them, and the service names the last',
      { merge_commit_sha: H },
      { ...merge, ...landed, ...historyOf(commit(H, A), commit(A, T)) },
      picked(false, A, H),
    ],
    [
      'its own where somebody pushed them and more, without a merge',
      { merge_commit_sha: M },
      { ...merge, ...mergeOf(H), ...landed, ...historyOf(commit(H, T)) },
      picked(false, H),
    ],
    [
      'its own where the project makes no merge commits, whatever is named',
      { merge_commit_sha: M },
      { ...ff, ...mergeOf(X, H), ...landed, ...historyOf(commit(H, T)) },
      picked(false, H),
    ],
  ])('are %s', (_what, fields, answers, expected) => {
    expect(pick(fields, answers)).toEqual(expected)
  })
  it.each<[string, object, Record<string, unknown>, RegExp]>([
    ['its branch has merges', {}, { ...ff, ...landed, ...historyOf(commit(H, A, X), commit(A, T)) }, /merge commits/],
    ['it merged the other way', {}, { ...ff, ...landed, ...historyOf(commit(H, T, A)) }, /merge commits/],
    ['it has no beginning', {}, { ...ff, ...landed, ...historyOf(commit(H)) }, /merge commits/],
    ['they are too many', {}, { ...ff, ...landed, ...historyOf(...line(21)) }, /more than 20/],
    ['other ones landed', {}, { ...ff, ...rebased, ...historyOf(commit(H, T)) }, /the service rebased/],
    ['another branch brought it', { merge_commit_sha: M }, { ...merge, ...mergeOf(T, X), ...landed }, /more than/],
    ['the sides are swapped', { merge_commit_sha: M }, { ...merge, ...mergeOf(H, T), ...landed }, /more than/],
    ['it merged three', { merge_commit_sha: M }, { ...merge, ...mergeOf(T, H, X), ...landed }, /more than/],
  ])('are none, and it is for people, where %s', (_what, fields, answers, why) => {
    expect(pick(fields, answers)).toEqual({ byHand: expect.stringMatching(why) })
  })
  it.each<[string, object, Record<string, unknown>]>([
    ['the merge request', { sha: null }, ff],
    ['the merge method', { squash_commit_sha: S }, project()],
    ['the merge commit', { merge_commit_sha: M }, merge],
    ['what landed', {}, { ...ff, ...historyOf(commit(H, T)) }],
    ['what landed, after a merge', { merge_commit_sha: M }, { ...merge, ...mergeOf(T, X) }],
    ['the commits', {}, { ...ff, ...landed }],
    ['a commit', {}, { ...ff, ...landed, ...historyOf(commit(A, T)) }],
    ['its parents', {}, { ...ff, ...landed, ...historyOf({ id: H }) }],
    ['a parent', {}, { ...ff, ...landed, ...historyOf(commit(H, null)) }],
  ])('are unknown where %s cannot be read', (_what, fields, answers) => {
    expect(pick(fields, answers)).toEqual({ unknown: expect.any(String) })
  })
})

function pick(fields: object, answers: Record<string, unknown>) {
  const mergeRequest = { sha: H, merge_commit_sha: null, diff_refs: { base_sha: T, head_sha: H }, ...fields }
  return commitsToPick(mergeRequest, (name) => answers[name])
}

const change = {
  ...{ old_path: 'a', new_path: 'a', a_mode: '100644', b_mode: '100644' },
  ...{ new_file: false, renamed_file: false, deleted_file: false, diff: '@@ -1,2 +1,2 @@\n x\n-one\n+two\n' },
}
const text = (diff: string) => [{ ...change, diff }]

it.each<[string, object[]]>([
  ['with the same lines', [change]],
  ['at another place of the file', text('@@ -9,2 +9,2 @@ f()\n y\n-one\n+two\n')],
])('picks bring the same change %s', (_what, made) => {
  expect(isSameChange([change], made)).toBe(true)
})

it.each<[string, unknown]>([
  ['with another line', text('@@ -1,2 +1,2 @@\n x\n-one\n+three\n')],
  ['with one line more', text('@@ -1,2 +1,3 @@\n x\n-one\n+two\n+three\n')],
  ['with a file more', [change, { ...change, new_path: 'b' }]],
  ['with a file less', []],
  ['in another file', [{ ...change, new_path: 'b' }]],
  ['with another mode', [{ ...change, b_mode: '100755' }]],
  ['where it deletes the file', [{ ...change, deleted_file: true }]],
  ['where a difference is not shown', text('Binary files a and b differ\n')],
  ['where the list cannot be read', undefined],
])('picks bring another change %s', (_what, made) => {
  expect(isSameChange([change], made)).toBe(false)
  expect(isSameChange(made, [change])).toBe(false)
})

it.each([
  [true, 'git cherry-pick -x -m 1 aaa bbb'],
  [false, 'git cherry-pick -x aaa bbb'],
])('a conflict names the commits to pick; of a merge: %s', (isMerge, command) => {
  const text = conflict({ to: 'stable', branch: 'backport/7-to-stable' }, { shas: ['aaa', 'bbb'], isMerge })
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([command, 'git switch -c backport/7-to-stable origin/stable']),
  )
})
