// The notes of backports: what people read and run.
import { expect, it } from 'vitest'
import * as texts from '../../../../src/rules/actions/definition/backport-texts.ts'

const about = { to: 'stable', branch: 'backport/7-to-stable' }

it.each([
  [{ shas: ['aaa'], isMerge: true }, 'git cherry-pick -x -m 1 aaa'],
  [{ shas: ['aaa', 'bbb'], isMerge: false }, 'git cherry-pick -x aaa bbb'],
])('a conflict names the commits to pick: %j', (picks, command) => {
  const lines = texts.conflict(about, picks).split('\n')
  expect(lines).toContain(command)
  expect(lines).toContain('git switch -c backport/7-to-stable origin/stable')
})

it('what Bellhop does not pick is applied as the merge request showed it', () => {
  const text = texts.byHand(about, 'its branch has merge commits', 7, { base: 'b1', head: 'h1' })
  expect(text).toContain('to `stable`: its branch has merge commits.')
  expect(text).toContain('git fetch origin && git fetch origin merge-requests/7/head\n')
  expect(text).toContain('git diff --binary b1 h1 | git apply --3way\n')
})

it.each([
  [undefined, 'It opens no merge request of it.'],
  [9, 'It closed !9, because somebody pushed to the branch before that was opened.'],
])('a branch that is not its own is left to people (closed: %s)', (closed, sentence) => {
  expect(texts.notOwn(about, closed)).toContain(sentence)
})

it('the notes of two targets are two notes, and so are those of two reasons', () => {
  const purposes = ['stable', 'old'].flatMap((to) => [texts.noteFor(to), texts.branchNoteFor(to)])
  expect(new Set(purposes).size).toBe(4)
})
