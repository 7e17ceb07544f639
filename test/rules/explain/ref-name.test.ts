// How people read the name of a project, merge request or issue.
import { expect, test } from 'vitest'
import { fullRefName, refName, sayNoRules } from '../../../src/rules/facts/definition/subject-ref.ts'

test.each([
  [{ project: 7 }, 'project 7', 'project 7'],
  [{ project: 7, iid: 0, path: 'hotel/app' }, 'hotel/app', 'hotel/app'],
  [{ project: 7, iid: 12 }, '!12 of project 7', '!12 of project 7'],
  [{ project: 7, iid: 12, path: 'hotel/app', title: 'Fix it' }, 'hotel/app!12', 'hotel/app!12 · Fix it'],
  [{ project: 7, iid: -12 }, '#12 of project 7', '#12 of project 7'],
  [{ project: 7, iid: -12, path: 'hotel/app', title: 'Mend it' }, 'hotel/app#12', 'hotel/app#12 · Mend it'],
  [{ project: 7, iid: 12, subject: 'issue' as const, path: 'hotel/app' }, 'hotel/app#12', 'hotel/app#12'],
])('%j is %s', (ref, short, full) => {
  expect([refName(ref), fullRefName(ref)]).toEqual([short, full])
})

test('an issue that no rule is for says so; without a rule file there are no rules at all', () => {
  const issue = { project: 7, path: 'hotel/app', subject: 'issue' } as const
  expect(sayNoRules(issue, { files: [{}] })).toBe('No rule of hotel/app is for issues.')
  expect(sayNoRules(issue, { files: [] })).toBe('No rules are in force.')
  expect(sayNoRules({ project: 7, path: 'hotel/app' }, { files: [{}] })).toBe('No rules are in force.')
})
