// Sources: parameters, and when a body is whole.
import { describe, expect, it } from 'vitest'
import { sourceNamed, sources } from '../../../../src/rules/facts/definition/sources.ts'
import { answer, head } from '../../world.ts'

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
