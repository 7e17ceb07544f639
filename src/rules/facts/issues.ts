// The issues that the merge closes.
import { fact } from '../fact.ts'
import { names } from '../fact-types.ts'
import { items } from '../items.ts'
import { sources } from '../sources.ts'

const from = sources.closesIssues

export const closes_issues = fact({
  doc: 'The issues that the merge closes: `#12`, or the id of one in another tracker.',
  type: names,
  from,
  read: (issues) => {
    const numbers = items(issues)?.map((issue) => {
      if (issue === undefined) return undefined
      if ('iid' in issue) return `#${issue.iid}`
      return typeof issue.id === 'string' ? issue.id : undefined
    })
    return numbers as string[] | undefined
  },
  example: 'closes_issues: { any: "*" }',
  unblock: (wanted) => `issues to close with ${wanted}`,
})

export const closes_issue_titles = fact({
  doc: 'The titles of the issues that the merge closes.',
  type: names,
  from,
  read: (issues) => items(issues)?.map((issue) => issue?.title) as string[] | undefined,
  example: 'closes_issue_titles: { any: { matches: "(?i)security" } }',
  unblock: (wanted) => `issues to close with ${wanted} as a title`,
})

export const closes_issue_labels = fact({
  doc: 'The labels of the issues that the merge closes; an issue of another tracker has none.',
  type: names,
  from,
  read: (issues) => {
    const labels = items(issues)?.flatMap((issue) => (issue !== undefined && 'labels' in issue ? (issue.labels ?? [undefined]) : []))
    return labels === undefined ? undefined : ([...new Set(labels)] as string[])
  },
  example: 'closes_issue_labels: { any: ["security", "severity::*"] }',
  unblock: (wanted) => `issues to close whose labels are ${wanted}`,
})
