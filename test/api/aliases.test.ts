// Second names of parameters and fields.
import { describe, expect, it } from 'vitest'
import { contradictions, fillContractNames, underAllNames } from '../../src/api/aliases.ts'
import { endpointsByName } from '../../src/api/index.ts'

const filled = (body: unknown) => {
  fillContractNames(body)
  return body
}

describe('fillContractNames', () => {
  it.each<[string, unknown, unknown]>([
    ['what is missing from what is left', { approvals_left: 0 }, { approvals_left: 0, approvals_missing: 0 }],
    ['what is left from what is missing', { approvals_missing: 2 }, { approvals_left: 2, approvals_missing: 2 }],
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
    ['nothing in a text', 'ok', 'ok'],
    ['nothing in a list of texts', ['a', null], ['a', null]],
  ])('fills in %s', (_, body, result) => {
    expect(filled(body)).toEqual(result)
  })
})

describe('underAllNames', () => {
  it('leaves other parameters alone', () => {
    expect(underAllNames({ sha: 'a', squash: false })).toEqual({ sha: 'a', squash: false })
  })
  it('keeps a value that is false', () => {
    expect(underAllNames({ wiki_events: false })).toEqual({ wiki_events: false, wiki_page_events: false })
  })
})

describe('contradictions', () => {
  it('are two names with two values', () => {
    expect(contradictions({ merge_when_pipeline_succeeds: true, auto_merge: false })).toHaveLength(1)
    expect(contradictions({ merge_when_pipeline_succeeds: true, auto_merge: true })).toEqual([])
    expect(contradictions({ auto_merge: false })).toEqual([])
  })
})

it('every parameter of two names is in the contract under one of them', () => {
  const inContract = new Set([...endpointsByName.values()].flatMap(({ body }) => Object.keys(body)))
  for (const name of [
    'merge_when_pipeline_succeeds',
    'auto_merge',
    'wiki_events',
    'printing_merge_request_link_enabled',
  ]) {
    expect(inContract).toContain(name)
  }
})
