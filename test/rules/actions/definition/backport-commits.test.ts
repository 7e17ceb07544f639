// Which commits a backport picks, and how many of them its branch has.
import { describe, expect, it } from 'vitest'
import {
  backportTexts,
  branchFor,
  commitsToPick,
  pickedOf,
} from '../../../../src/rules/actions/definition/backport-commits.ts'

const [A, B, C] = ['a', 'b', 'c'].map((each) => each.repeat(40)) as [string, string, string]
const commits = (...shas: unknown[]) => shas.map((id) => ({ id, parent_ids: ['x'] }))

describe('the commits to pick', () => {
  it.each<[string, object, unknown, unknown]>([
    ['the merge commit', { merge_commit_sha: A, squash_commit_sha: B }, undefined, { shas: [A], isMerge: true }],
    ['the squashed commit', { merge_commit_sha: null, squash_commit_sha: B }, undefined, { shas: [B], isMerge: false }],
    ['each in order', { merge_commit_sha: null }, commits(C, B, A), { shas: [A, B, C], isMerge: false }],
    ['no merges of the target', {}, [{ id: B, parent_ids: ['x', 'y'] }, ...commits(A)], { shas: [A], isMerge: false }],
    ['none where they cannot be read', {}, undefined, undefined],
    ['none where there are none', {}, [], undefined],
    ['none where one has no name', {}, commits(A, null), undefined],
    ['none where they are too many', {}, commits(...Array.from({ length: 21 }, () => A)), undefined],
  ])('are %s', (_what, mergeRequest, listed, expected) => {
    expect(commitsToPick(mergeRequest, listed)).toEqual(expected)
  })
})

it('counts what was picked by the newest commit that the message names', () => {
  const picks = { shas: [A, B, C], isMerge: false }
  expect(pickedOf('Fix', picks)).toBe(0)
  expect(pickedOf(`Fix\n\n(cherry picked from commit ${A})`, picks)).toBe(1)
  expect(pickedOf(`(cherry picked from commit ${A})\n(cherry picked from commit ${B})`, picks)).toBe(2)
  expect(pickedOf(`Fix ${C}`, picks)).toBe(0)
})

it('says the commands for merges, and for several commits', () => {
  const texts = (shas: string[], isMerge: boolean) =>
    backportTexts.conflict({ to: 'stable', branch: branchFor(7, 'stable'), commits: { shas, isMerge } })
  expect(texts([A], true)).toContain(`git cherry-pick -x -m 1 ${A}\n`)
  expect(texts([A, B], false)).toContain(`git cherry-pick -x ${A} ${B}\n`)
  expect(texts([A], true)).toContain('git switch -c backport/7-to-stable origin/stable\n')
})
