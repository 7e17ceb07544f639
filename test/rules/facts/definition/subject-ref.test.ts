// What a ref stands for.
import { describe, expect, it } from 'vitest'
import {
  isIssue,
  isProject,
  issueRef,
  numberOf,
  projectRef,
  shortName,
  subjectOf,
} from '../../../../src/rules/facts/definition/subject-ref.ts'

describe.each([
  ['merge_request', { service: 'code', project: 3, iid: 12 }, 12, '!12'],
  ['issue', issueRef('code', 3, 12), 12, '#12'],
  ['project', projectRef('code', 3), 0, ''],
] as const)('a ref of a %s', (subject, ref, number, name) => {
  it('tells what it stands for, and how the service calls it', () => {
    expect(subjectOf(ref)).toBe(subject)
    expect([isIssue(ref), isProject(ref)]).toEqual([subject === 'issue', subject === 'project'])
    expect([numberOf(ref), shortName(ref)]).toEqual([number, name])
    expect(ref).toMatchObject({ service: 'code', project: 3 })
  })
})

it('an issue and a merge request of one number are two', () => {
  expect(issueRef('code', 3, 12).iid).not.toBe(12)
})
