// Projects that cannot have a merge queue.
import { expect, test } from 'vitest'
import { unfitness } from '../../../src/bot/merge-queue/project.ts'

test.each([
  [{ merge_method: 'merge' as const }, undefined],
  [{ merge_method: 'ff' as const }, 'merge_method'],
  [{ merge_method: 'rebase_merge' as const, merge_trains_enabled: true }, 'merge_method'],
  [{ merge_method: 'merge' as const, merge_trains_enabled: true }, 'merge_trains'],
  [{}, undefined],
])('%j: %s', (project, reason) => {
  expect(unfitness(project)).toBe(reason)
})
