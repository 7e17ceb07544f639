// What an action may be done to, and its calls there.
import { describe, expect, it } from 'vitest'
import { callOn, isActionOf, isCallOn, targetOf } from '../../../../src/rules/actions/definition/action-subject.ts'
import { issueRef } from '../../../../src/rules/facts/definition/subject-ref.ts'

const issue = targetOf(issueRef(1, 7))
const mergeRequest = targetOf({ project: 1, iid: 7 })

describe('a call', () => {
  it('is for the issue or the merge request', () => {
    expect(callOn(issue, 'update', { add_labels: 'bug' })).toEqual({
      endpoint: 'issues.update',
      params: { id: 1, issue_iid: 7, add_labels: 'bug' },
    })
    expect(callOn(mergeRequest, 'notes.create', { body: 'Hello' })).toEqual({
      endpoint: 'mergeRequests.notes.create',
      params: { id: 1, merge_request_iid: 7, body: 'Hello' },
    })
  })
  it('is recognized for both', () => {
    for (const target of [issue, mergeRequest]) {
      expect(isCallOn(callOn(target, 'update'), 'update')).toBe(true)
      expect(isCallOn(callOn(target, 'subscribe'), 'update')).toBe(false)
    }
  })
})

it('an action is for merge requests, also for issues or events of the project where it says so', () => {
  const subjects = ['merge_request', 'issue', 'project'] as const
  expect(subjects.map((each) => isActionOf({}, each))).toEqual([true, false, false])
  expect(subjects.map((each) => isActionOf({ on: 'issues' }, each))).toEqual([true, true, false])
  expect(subjects.map((each) => isActionOf({ on: 'projects' }, each))).toEqual([true, false, true])
})
