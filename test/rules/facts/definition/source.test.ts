// The declaration of a source: its defaults, and which bodies count.
import { describe, expect, it } from 'vitest'
import { named, readCall, source, tellsOf } from '../../../../src/rules/facts/definition/source.ts'
import { sources } from '../../../../src/rules/facts/definition/sources.ts'
import { issueRef } from '../../../../src/rules/facts/definition/subject-ref.ts'
import { answer } from '../../world.ts'

const { one, pages } = named({
  one: source({ doc: 'One.', endpoint: 'mergeRequests.get', cost: 1, complete: (body) => body.iid === 7 }),
  pages: source({ doc: 'Pages.', endpoint: 'mergeRequests.participants', cost: 1, paged: true }),
})
const ref = { project: 1, iid: 7 }

describe('a source', () => {
  it('has its key as its name, and asks for the merge request, a list for full pages', () => {
    expect([one.name, one.params(ref, {})]).toEqual(['one', { id: 1, merge_request_iid: 7 }])
    expect([pages.name, pages.params(ref, {})]).toEqual(['pages', { id: 1, merge_request_iid: 7, per_page: 100 }])
  })
  it('is complete only where the body has its shape and says so', () => {
    expect([one.complete({ iid: 7 }), one.complete({ iid: 8 })]).toEqual([true, false])
    expect([null, 'x'].map((body) => one.complete(body as never))).toEqual([false, false])
  })
})

it.each([
  ['issues and merge requests have it, but no project', sources.authorAccess, ['merge_request', 'issue']],
  ['only merge requests have it', sources.approvals, ['merge_request']],
  ['each has it', sources.project, ['merge_request', 'issue', 'project']],
] as const)('a source tells of some subjects: %s', (_which, of, expected) => {
  expect((['merge_request', 'issue', 'project'] as const).filter((subject) => tellsOf(of, subject))).toEqual(expected)
})

it('a source may ask the same of an issue, with what its own body says', () => {
  const answers = { mergeRequest: answer({ author: { id: 3 } }) }
  const call = { endpoint: 'projects.members.get', params: { id: 1, user_id: 3 } }
  for (const of of [ref, issueRef(1, 7)]) expect(readCall(sources.authorAccess, of, answers, undefined)).toEqual(call)
})
