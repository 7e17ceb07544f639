// Projects that cannot have a merge queue.
import { unfitness } from '../../../src/bot/merge-queue/project.ts'

test.each([
  [{ merge_method: 'merge' }, 'accept', undefined],
  [{ merge_method: 'ff' }, 'accept', 'merge_method'],
  [{ merge_method: 'rebase_merge', merge_trains_enabled: true }, 'accept', 'merge_method'],
  [{ merge_method: 'ff' }, 'push', undefined],
  [{ merge_method: 'ff', merge_trains_enabled: true }, 'push', 'merge_trains'],
  [{ merge_method: 'merge', merge_trains_enabled: true }, 'accept', 'merge_trains'],
  [{}, 'accept', undefined],
] as const)('%j and land: %s: %s', (project, land, reason) => {
  expect(unfitness(project, { land, test: 'branch' })).toBe(reason)
})

test.each([
  [{ merge_method: 'ff' }, undefined],
  [{ merge_method: 'ff', automatic_rebase_enabled: true }, 'automatic_rebase'],
  [{ merge_method: 'merge', automatic_rebase_enabled: true }, undefined],
  [{ merge_method: 'rebase_merge', merge_trains_enabled: true }, 'merge_trains'],
] as const)('%j and test: rebase: %s', (project, reason) => {
  expect(unfitness(project, { land: 'accept', test: 'rebase' })).toBe(reason)
})
