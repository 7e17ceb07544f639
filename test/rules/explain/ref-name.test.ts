// How people read the name of a project or merge request.
import { expect, test } from 'vitest'
import { fullRefName, refName } from '../../../src/rules/explain/ref-name.ts'

test.each([
  [{ project: 7 }, 'project 7', 'project 7'],
  [{ project: 7, iid: 0, path: 'hotel/app' }, 'hotel/app', 'hotel/app'],
  [{ project: 7, iid: 12 }, '!12 of project 7', '!12 of project 7'],
  [{ project: 7, iid: 12, path: 'hotel/app', title: 'Fix it' }, 'hotel/app!12', 'hotel/app!12 · Fix it'],
])('%j is %s', (ref, short, full) => {
  expect([refName(ref), fullRefName(ref)]).toEqual([short, full])
})
