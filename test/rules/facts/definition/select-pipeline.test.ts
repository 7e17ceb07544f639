// Which pipeline stands for a merge request.
import {
  selectPipeline,
  showsMergeRequestPipelines,
  statusPlace,
} from '../../../../src/rules/facts/definition/select-pipeline.ts'
import { refused } from '../../world.ts'

const pipeline = (fields = {}) => ({ id: 1, sha: 'a', ref: 'b', status: 'success', ...fields })

const train = (status: string) => pipeline({ id: 9, ref: 'refs/merge-requests/7/train', status })

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
])('the standing pipeline is %s', (_what, headPipeline, list, expected) => {
  expect(selectPipeline(headPipeline, list)).toEqual(expected)
})

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
  ['are not shown by what cannot be read', { mergeRequest: refused(), pipelines: read({}) }, false],
])('pipelines of merge requests %s', (_what, answers, expected) => {
  expect(showsMergeRequestPipelines(answers)).toBe(expected)
})

const head = 'a'.repeat(40)
const branch = { sha: head, source_branch: 'feature', source_project_id: 1 }
const ofHead = { id: 5, sha: head, ref: 'feature', source: 'push', status: 'success' }

it.each<[string, object, object | undefined]>([
  ['the head’s pipeline', { head_pipeline: ofHead }, { project: 1, sha: head, ref: 'feature', pipeline: 5 }],
  [
    'a pipeline of the merge request, whatever its commit',
    { head_pipeline: { ...ofHead, sha: 'b'.repeat(40), ref: 'refs/merge-requests/7/merge', project_id: 2 } },
    { project: 2, sha: 'b'.repeat(40), ref: 'refs/merge-requests/7/merge', pipeline: 5 },
  ],
  [
    'the branch, where the pipeline is of an earlier head',
    { head_pipeline: { ...ofHead, sha: 'b'.repeat(40) } },
    { project: 1, sha: head, ref: 'feature' },
  ],
  [
    'the branch, where statuses alone made the pipeline',
    { head_pipeline: { ...ofHead, source: 'external' } },
    { project: 1, sha: head, ref: 'feature' },
  ],
  ['nowhere, where the fork is gone', { source_project_id: null }, undefined],
  ['nowhere, where the head is not known', { sha: null }, undefined],
])('the place of a status is %s', (_what, fields, place) => {
  expect(statusPlace({ ...branch, ...fields })).toEqual(place)
})
