// Which titles make a draft.
import { expect, test } from 'vitest'
import { isDraft } from '../../../src/sandbox/merge-requests/status.ts'
import { openMergeRequest } from '../sandbox-world.ts'

test.each([
  ['Draft: x', true],
  ['draft: x', true],
  ['[Draft] x', true],
  ['(Draft) x', true],
  ['Draft - x', false],
  ['WIP: x', false],
  ['[WIP] x', false],
  ['Drafts: x', false],
  ['A draft: x', false],
  ['x', false],
])('%s: %s', (title, expected) => {
  expect(isDraft({ title })).toBe(expected)
})

test.each([
  ['WIP: x', { work_in_progress: false, draft: false, detailed_merge_status: 'mergeable' }],
  ['Draft: x', { work_in_progress: true, draft: true, detailed_merge_status: 'draft_status' }],
])('%s is shown as %j', async (title, fields) => {
  const world = await openMergeRequest({ mr: { title } })
  expect(await world.get('/projects/1/merge_requests/1')).toMatchObject(fields)
})
