// The issues that the merge closes, in the built-in tracker and in others.
import { describe, expect, it } from 'vitest'
import { actualOf, unsaid } from '../actual.ts'
import { answer } from '../world.ts'

const own = { id: 900, iid: 12, project_id: 1, confidential: false, title: 'The door sticks', labels: ['bug', 'p1'] }
const other = { id: 'DOOR-3', title: 'External Issue DOOR-3' }

describe('issues', () => {
  it.each([
    ['closes_issues', [own, other], '"#12", "DOOR-3"'],
    ['closes_issues', [], 'none'],
    ['closes_issues', [{}], unsaid],
    ['closes_issues', [null], unsaid],
    ['closes_issues', [0, 'x'], unsaid],
    ['closes_issues', [{ iid: {}, id: 1 }], unsaid],
    ['closes_issue_labels', [{ ...own, labels: 'bug' }], unsaid],
    ['closes_issue_labels', ['x'], unsaid],
    ['closes_issues', {}, 'unknown: the hosting service’s answer cannot be read'],
    ['closes_issue_titles', [own, other], '"The door sticks", "External Issue DOOR-3"'],
    ['closes_issue_titles', [{ iid: 1 }], unsaid],
    ['closes_issue_labels', [own, { ...own, labels: ['bug', 'p2'] }, other], '"bug", "p1", "p2"'],
    ['closes_issue_labels', [{ ...own, labels: null }], unsaid],
    ['closes_issue_labels', [], 'none'],
  ])('%s of %j are %s', (fact, issues, expected) => {
    expect(actualOf(`${fact}: { none: x }`, {}, { closesIssues: answer(issues) })).toBe(expected)
  })
})
