// Which pipeline stands for a merge request.
import { describe, expect, it } from 'vitest'
import { selectPipeline, showsMergeRequestPipelines } from '../../../../src/rules/facts/definition/select-pipeline.ts'

const pipeline = (fields = {}) => ({ id: 1, sha: 'a', ref: 'b', status: 'success', ...fields })

const train = (status: string) => pipeline({ id: 9, ref: 'refs/merge-requests/7/train', status })

describe('the standing pipeline', () => {
  it.each([
    ['the one the service names', pipeline(), [pipeline({ id: 2 })], pipeline()],
    ['the one before its train', train('running'), [train('running'), pipeline()], pipeline()],
    ['the one before its train, which succeeded', train('success'), [train('success'), pipeline()], pipeline()],
    ['its train that failed', train('failed'), [], train('failed')],
    ['its train that somebody canceled', train('canceled'), [], train('canceled')],
    ['its train that was skipped', train('skipped'), [], train('skipped')],
    ['its newest train that failed', undefined, [train('failed'), pipeline()], train('failed')],
    ['not an older train', undefined, [train('running'), train('failed'), pipeline()], pipeline()],
    ['unreadable for a train without a list', train('running'), undefined, 'unreadable'],
    ['unreadable without a list', undefined, undefined, 'unreadable'],
  ])('is %s', (_what, headPipeline, list, expected) => {
    expect(selectPipeline(headPipeline, list)).toEqual(expected)
  })
})

describe('pipelines of merge requests', () => {
  const own = pipeline({ source: 'merge_request_event' })
  const read = (body: unknown) => ({ ok: true as const, body, complete: true })
  it.each([
    ['are shown by the one that is named', { mergeRequest: read({ head_pipeline: own }) }, true],
    [
      'are not shown by one that ran in a fork',
      {
        mergeRequest: read({
          ...{ source_project_id: 9, target_project_id: 1 },
          head_pipeline: { ...own, project_id: 9 },
        }),
      },
      false,
    ],
    ['are shown by one of the list', { mergeRequest: read({}), pipelines: read([pipeline(), own]) }, true],
    [
      'are not shown by a branch’s',
      { mergeRequest: read({ head_pipeline: pipeline() }), pipelines: read([pipeline()]) },
      false,
    ],
    [
      'are not shown by a train’s',
      {
        mergeRequest: read({ head_pipeline: { ...train('running'), source: 'merge_request_event' } }),
        pipelines: read([train('running'), pipeline()]),
      },
      false,
    ],
    ['are not shown by none', { mergeRequest: read({ head_pipeline: null }) }, false],
    [
      'are not shown by what cannot be read',
      { mergeRequest: { ok: false as const, reason: '404' }, pipelines: read({}) },
      false,
    ],
  ])('%s', (_what, answers, expected) => {
    expect(showsMergeRequestPipelines(answers)).toBe(expected)
  })
})
