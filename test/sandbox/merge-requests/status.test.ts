// What the title says of a merge request.
import { expect, test } from 'vitest'
import { isDraft } from '../../../src/sandbox/merge-requests/status.ts'

test('a title marks a draft in each notation of GitLab, old and new', () => {
  const drafts = ['Draft: x', 'draft: x', '[Draft] x', '(Draft) x', 'Draft - x', 'WIP: x', '[WIP] x']
  expect([...drafts, 'Drafts: x', 'A draft: x', 'x'].filter((title) => isDraft({ title }))).toEqual(drafts)
})
