// The issues that the merge closes.
import { fact } from '../fact.ts'
import { names } from '../fact-types.ts'
import { items } from '../items.ts'
import { sources } from '../sources.ts'

const from = sources.closesIssues

/** As a service may send it: one of another tracker has a text as its id, and neither number nor labels. */
interface Closing {
  id?: unknown
  iid?: unknown
  title?: unknown
  labels?: unknown
}
const closing = (issues: readonly unknown[]) => items(issues as readonly Closing[])

/** A list in which whatever is no text makes the fact absent. */
const texts = (list: readonly unknown[] | undefined) => list as string[] | undefined

export const closes_issues = fact({
  doc: 'The issues that the merge closes: `#12`, or the id of one in another tracker.',
  type: names,
  from,
  read: (issues) => texts(closing(issues)?.map((issue) => (Number.isSafeInteger(issue?.iid) ? `#${String(issue?.iid)}` : issue?.id))),
  example: 'closes_issues: { any: "*" }',
  unblock: (wanted) => `issues to close with ${wanted}`,
})

export const closes_issue_titles = fact({
  doc: 'The titles of the issues that the merge closes.',
  type: names,
  from,
  read: (issues) => texts(closing(issues)?.map((issue) => issue?.title)),
  example: 'closes_issue_titles: { any: { matches: "(?i)security" } }',
  unblock: (wanted) => `issues to close with ${wanted} as a title`,
})

export const closes_issue_labels = fact({
  doc: 'The labels of the issues that the merge closes; an issue of another tracker has none.',
  type: names,
  from,
  read: (issues) => {
    const labels = closing(issues)?.flatMap((issue): unknown[] => {
      if (Array.isArray(issue?.labels)) return issue.labels
      return typeof issue?.id === 'string' ? [] : [undefined]
    })
    return texts(labels === undefined ? undefined : [...new Set(labels)])
  },
  example: 'closes_issue_labels: { any: ["security", "severity::*"] }',
  unblock: (wanted) => `issues to close whose labels are ${wanted}`,
})
