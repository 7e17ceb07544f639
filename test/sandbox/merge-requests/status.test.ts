// Which titles make a draft.
import { isDraft } from '../../../src/sandbox/merge-requests/status.ts'

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
