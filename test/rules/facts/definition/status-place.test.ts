// Where a commit status of a merge request belongs, and which one counts there.
import { describe, expect, it } from 'vitest'
import {
  explainsPipeline,
  isOfOneMergeRequest,
  newestStatus,
  statusPlace,
} from '../../../../src/rules/facts/definition/status-place.ts'

const head = 'a'.repeat(40)
const branch = { sha: head, source_branch: 'feature', source_project_id: 1 }
const pipeline = { id: 5, sha: head, ref: 'feature', source: 'push', status: 'success' }

describe('the place of a status', () => {
  it.each<[string, object, object | undefined]>([
    ['the head’s pipeline', { head_pipeline: pipeline }, { project: 1, sha: head, ref: 'feature', pipeline: 5 }],
    [
      'a pipeline of the merge request, whatever its commit',
      { head_pipeline: { ...pipeline, sha: 'b'.repeat(40), ref: 'refs/merge-requests/7/merge', project_id: 2 } },
      { project: 2, sha: 'b'.repeat(40), ref: 'refs/merge-requests/7/merge', pipeline: 5 },
    ],
    [
      'the branch, where the pipeline is of an earlier head',
      { head_pipeline: { ...pipeline, sha: 'b'.repeat(40) } },
      { project: 1, sha: head, ref: 'feature' },
    ],
    [
      'the branch, where statuses alone made the pipeline',
      { head_pipeline: { ...pipeline, source: 'external' } },
      { project: 1, sha: head, ref: 'feature' },
    ],
    ['nowhere, where the fork is gone', { source_project_id: null }, undefined],
    ['nowhere, where the head is not known', { sha: null }, undefined],
  ])('is %s', (_what, fields, place) => {
    expect(statusPlace({ ...branch, ...fields })).toEqual(place)
  })

  it('is of one merge request alone where its ref is', () => {
    expect(isOfOneMergeRequest({ ref: 'refs/merge-requests/7/head' })).toBe(true)
    expect(isOfOneMergeRequest({ ref: 'feature' })).toBe(false)
  })
})

describe('the status that counts', () => {
  const place = { project: 1, sha: head, ref: 'feature', pipeline: 5 }
  const one = { id: 1, name: 'policy', ref: 'feature', pipeline_id: 5, status: 'failed', author: { id: 9 } }
  it('is the newest of the name, the ref and the pipeline', () => {
    const listed = [
      one,
      { ...one, id: 3, status: 'success' },
      { ...one, id: 4, name: 'Policy' },
      { ...one, id: 5, ref: 'other' },
      { ...one, id: 6, pipeline_id: 6 },
      null,
    ]
    expect(newestStatus(listed, 'policy', place)).toEqual({ id: 3, state: 'success', author: { id: 9 } })
  })
  it('is none in an empty list', () => {
    expect(newestStatus([], 'policy', place)).toBeUndefined()
  })
})

it.each([
  ['success', 'success', true],
  ['success', 'failed', false],
  ['failed', 'success', false],
  ['pending', 'running', true],
  ['pending', 'success', false],
])('a status of %s explains a pipeline of %s: %s', (state, status, explains) => {
  expect(explainsPipeline(state, { head_pipeline: { ...pipeline, status } })).toBe(explains)
  expect(explainsPipeline(state, { head_pipeline: null })).toBe(false)
})
