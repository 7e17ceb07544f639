// What a ref stands for.
import {
  fullRefName,
  innerIid,
  isIssue,
  isProject,
  issueRef,
  numberOf,
  projectRef,
  refName,
  sayNoRules,
  shortName,
  shownRef,
  subjectOf,
} from '../../../../src/rules/facts/definition/subject-ref.ts'

describe.each([
  ['merge_request', { project: 3, iid: 12 }, 12, '!12'],
  ['issue', issueRef(3, 12), 12, '#12'],
  ['project', projectRef(3), 0, ''],
] as const)('a ref of a %s', (subject, ref, number, name) => {
  it('tells what it stands for, and how the service calls it', () => {
    expect(subjectOf(ref)).toBe(subject)
    expect([isIssue(ref), isProject(ref)]).toEqual([subject === 'issue', subject === 'project'])
    expect([numberOf(ref), shortName(ref)]).toEqual([number, name])
    expect(ref).toMatchObject({ project: 3 })
  })
})

it('an issue and a merge request of one number are two', () => {
  expect(issueRef(3, 12).iid).not.toBe(12)
})

describe('outside of Bellhop', () => {
  it('an issue has its own number and says that it is one', () => {
    expect(shownRef(issueRef(3, 12))).toEqual({ project: 3, iid: 12, subject: 'issue' })
  })

  it.each([{ iid: 12 }, projectRef(3), {}])('%j is shown as it is', (ref) => {
    expect(shownRef(ref)).toEqual(ref)
  })

  it.each([-12, 0, 12])('the iid %d is read as it was', (iid) => {
    expect(innerIid(shownRef({ iid }))).toBe(iid)
  })
})

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
