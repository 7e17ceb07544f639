// What an action may be done to.
import { expect, it } from 'vitest'
import { isActionOf } from '../../../../src/rules/actions/definition/action-calls.ts'

it('an action is for merge requests, also for issues or events of the project where it says so', () => {
  const subjects = ['merge_request', 'issue', 'project'] as const
  expect(subjects.map((each) => isActionOf({}, each))).toEqual([true, false, false])
  expect(subjects.map((each) => isActionOf({ on: 'issues' }, each))).toEqual([true, true, false])
  expect(subjects.map((each) => isActionOf({ on: 'projects' }, each))).toEqual([true, false, true])
})
