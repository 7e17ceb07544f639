// Second names of parameters and fields.
import { fillContractNames } from '../../src/api/aliases.ts'

it.each<[string, unknown, unknown]>([
  ['the approvals missing from those left', { approvals_left: 0 }, { approvals_left: 0, approvals_missing: 0 }],
  ['the approvals left from those missing', { approvals_missing: 2 }, { approvals_left: 2, approvals_missing: 2 }],
  ['the wiki flag', { wiki_events: false }, { wiki_events: false, wiki_page_events: false }],
  ['the wiki flag in a list', [{ wiki_events: true }, {}], [{ wiki_events: true, wiki_page_events: true }, {}]],
  [
    'the printing flag',
    { printing_merge_request_link_enabled: false },
    { printing_merge_request_link_enabled: false, printing_merge_requests_link_enabled: false },
  ],
  [
    'nothing over what is there',
    { wiki_events: true, wiki_page_events: false },
    { wiki_events: true, wiki_page_events: false },
  ],
  ['what is null', { approvals_left: 1, approvals_missing: null }, { approvals_left: 1, approvals_missing: 1 }],
  ['nothing where neither is', { id: 1 }, { id: 1 }],
  ['nothing in a list of texts', ['a', null], ['a', null]],
])('fillContractNames fills in %s', (_, body, result) => {
  fillContractNames(body)
  expect(body).toEqual(result)
})
