// Sources: parameters, and when a body is whole.
import { branchSources } from '../../../../src/rules/facts/definition/people-sources.ts'
import { named, readCall, source, tellsOf } from '../../../../src/rules/facts/definition/source.ts'
import { sourceNamed, sources } from '../../../../src/rules/facts/definition/sources.ts'
import { issueRef } from '../../../../src/rules/facts/definition/subject-ref.ts'
import { answer, head, refused } from '../../world.ts'

const ref = { project: 1, iid: 7 }
const params = (answers = {}) => sources.pipelineCommit.params(ref, answers)

describe('parameters', () => {
  it.each([
    ['nothing is known', {}],
    ['there is no pipeline', { mergeRequest: answer({ head_pipeline: null }) }],
    [
      'its sha is no sha',
      { mergeRequest: answer({ head_pipeline: { id: 1, sha: '../../users', status: 'success' } }) },
    ],
    ['the list failed', { mergeRequest: answer({}), pipelines: refused() }],
    ['the answer is a text', { mergeRequest: answer('x'), pipelines: answer('x') }],
  ])('of the pipeline’s commit are missing while %s', (_what, answers) => {
    expect(params(answers)).toBeNull()
  })
  it('of the pipeline’s commit name its sha', () => {
    const pipeline = { id: 1, sha: head, ref: 'x', status: 'success' }
    expect(params({ mergeRequest: answer({ head_pipeline: pipeline }) })).toEqual({ id: 1, sha: head })
    expect(
      params({
        mergeRequest: answer({}),
        pipelines: answer([{ ...pipeline, sha: 'b', source: 'parent_pipeline' }, pipeline]),
      }),
    ).toEqual({ id: 1, sha: head })
  })
})

it('milestones are asked for with those of the groups, by the name that GitLab 16 knows as well', () => {
  const own = sources.milestone.params(ref, {}, '17.0')
  expect(own).toEqual({ id: 1, title: '17.0', include_parent_milestones: true })
})

it.each(['commits', 'mergedOfAuthor', 'sameSource', 'mergeRequestsFrom'] as const)(
  'a full page of %s is not complete',
  (name) => {
    const page = (length: number) => sources[name].complete(Array.from({ length }, () => ({})))
    expect([page(99), page(100)]).toEqual([true, false])
  },
)

it('a source is found by its own name only', () => {
  expect(sourceNamed('changes')?.name).toBe('changes')
  expect(sourceNamed('toString')).toBeUndefined()
})

it('answers about people may be five minutes old, states of reviews not', () => {
  const people = ['groupMembers', 'groupDirectMembers', 'projectMembers', 'userStatus', 'openReviews'] as const
  expect(people.map((name) => sources[name].cachedForMs)).toEqual(people.map(() => 300_000))
  expect(sources.reviewerStates.cachedForMs).toBeUndefined()
})

it('a comparison is complete unless the service gave up', () => {
  const { comparison } = branchSources
  expect([{}, { compare_timeout: true }].map((body) => comparison.complete(body))).toEqual([true, false])
  expect(comparison.params({ project: 1, iid: 7 }, {}, 'a..b')).toEqual({ id: 1, from: 'a', to: 'b' })
})

const { one, pages } = named({
  one: source({ doc: 'One.', endpoint: 'mergeRequests.get', cost: 1, complete: (body) => body.iid === 7 }),
  pages: source({ doc: 'Pages.', endpoint: 'mergeRequests.participants', cost: 1, paged: true }),
})

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
