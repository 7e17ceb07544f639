// The notes of backports: what people read and run.
import { expect, it } from 'vitest'
import { conflict } from '../../../../src/rules/actions/definition/backport-commits.ts'

it.each([
  [true, 'git cherry-pick -x -m 1 aaa bbb'],
  [false, 'git cherry-pick -x aaa bbb'],
])('a conflict names the commits to pick; of a merge: %s', (isMerge, command) => {
  const text = conflict({ to: 'stable', branch: 'backport/7-to-stable' }, { shas: ['aaa', 'bbb'], isMerge })
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([command, 'git switch -c backport/7-to-stable origin/stable']),
  )
})
