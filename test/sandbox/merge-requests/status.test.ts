// Which titles make a draft, by version (hosting-service.md §2.2).
import { expect, test } from 'vitest'
import { isDraft } from '../../../src/sandbox/merge-requests/status.ts'
import { openWorld } from '../sandbox-world.ts'

const today = ['Draft: x', 'draft: x', '[Draft] x', '(Draft) x']
const wip = ['WIP: x', '[WIP] x', 'wip: x']
const never = ['Drafts: x', 'A draft: x', 'WIP x', 'x']

test.each([
  ['18.11.0', today],
  ['14.8.0', today],
  ['14.7.0', [...today, ...wip, 'Draft - x']],
  ['13.2.0', [...today, ...wip, 'Draft - x']],
  ['13.1.0', wip],
])('as GitLab %s', async (version, drafts) => {
  const { sandbox } = await openWorld({ version })
  const all = [...today, ...wip, 'Draft - x', ...never]
  const found = await sandbox.within(async (world) => all.filter((title) => isDraft(world, { title })))
  expect(found).toEqual(drafts)
})

test.each([
  ['18.11.0', 'WIP: x', { work_in_progress: false, draft: false, detailed_merge_status: 'mergeable' }],
  ['18.11.0', 'Draft: x', { work_in_progress: true, draft: true, detailed_merge_status: 'draft_status' }],
  ['14.0.0', 'WIP: x', { work_in_progress: true, draft: true }],
  ['13.12.0', 'WIP: x', { work_in_progress: true }],
])('GitLab %s shows %s as %j', async (version, title, fields) => {
  const world = await openWorld({ version })
  await world.mergeRequest({ mr: { title } })
  const shown = await world.get('/projects/1/merge_requests/1')
  expect(shown).toMatchObject(fields)
  expect('draft' in shown).toBe('draft' in fields)
})
