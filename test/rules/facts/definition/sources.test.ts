// Sources: parameters, and when a body is whole.
import { describe, expect, it } from 'vitest'
import { sourceNamed, sources } from '../../../../src/rules/facts/definition/sources.ts'
import { answer, head } from '../../world.ts'

const ref = { project: 1, iid: 7 }
const params = (answers = {}) => sources.pipelineCommit.params(ref, answers)

describe('parameters', () => {
  it('are the merge request’s, by the integer id of the project', () => {
    const withRebase = { id: 1, merge_request_iid: 7, include_rebase_in_progress: true }
    expect(sources.mergeRequest.params(ref, {})).toEqual(withRebase)
    for (const name of ['changes', 'approvals'] as const)
      expect(sources[name].params(ref, {})).toEqual({ id: 1, merge_request_iid: 7 })
    expect(sources.commits.params(ref, {})).toEqual({ id: 1, merge_request_iid: 7, per_page: 100 })
    expect(sources.project.params(ref, {})).toEqual({ id: 1 })
  })
  it.each([
    ['nothing is known', {}],
    ['there is no pipeline', { mergeRequest: answer({ head_pipeline: null }) }],
    [
      'its sha is no sha',
      { mergeRequest: answer({ head_pipeline: { id: 1, sha: '../../users', status: 'success' } }) },
    ],
    ['the list failed', { mergeRequest: answer({}), pipelines: { ok: false, reason: '404' } }],
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

describe('changes', () => {
  it.each([
    [{ changes: [1], changes_count: '1' }, true],
    [{ changes: [1] }, true],
    [{ changes: [1], changes_count: '2' }, false],
    [{ changes: [1], changes_count: '1000+' }, false],
    [{ changes: [1], changes_count: '1', overflow: true }, false],
    [{ changes_count: '1' }, false],
    [null, false],
    ['x', false],
  ])('%j are whole: %s', (body, expected) => {
    expect(sources.changes.complete(body as never)).toBe(expected)
  })
})

it('a source is found by its own name only', () => {
  expect(sourceNamed('changes')?.name).toBe('changes')
  expect(sourceNamed('toString')).toBeUndefined()
})
