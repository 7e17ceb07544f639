// Where a commit status of a merge request belongs.
import { describe, expect, it } from 'vitest'
import { statusPlace } from '../../../../src/rules/facts/definition/select-pipeline.ts'

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
})
