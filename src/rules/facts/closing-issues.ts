// The issues that the merge closes, as far as its author may see them; public text names only those that every reader may see.

import { names } from '../language/operators/fact-types.ts'
import type { FactValue } from '../types.ts'
import {
  type ClosingIssue,
  type IssueTest,
  isPublicIssue,
  isSeenByAuthor,
  issuesThat,
} from './definition/author-access.ts'
import { type Fact, type FactView, known, NOT_SHOWN } from './definition/fact.ts'
import { items } from './definition/list-items.ts'
import { sources } from './definition/sources.ts'

type ReadValues = (issue: ClosingIssue | undefined) => unknown[]

/** The distinct values; one that is no text makes the fact absent. */
function textsOf(issues: readonly (ClosingIssue | undefined)[] | undefined, values: ReadValues): unknown {
  return issues === undefined ? undefined : [...new Set(issues.flatMap(values))]
}

/** Says what a decision leaves out of the list. */
const MISSING = 'issues that its author is not known to see'

const anyIssue: IssueTest = () => true

function readIssues(view: FactView, values: ReadValues, passes: IssueTest, missing: string): FactValue {
  const reading = view.source(sources.closesIssues)
  if (reading.is !== 'read') return reading
  const all = items(reading.body as readonly ClosingIssue[])
  const full = known(names, textsOf(all, values), reading.complete)
  if (full.is !== 'known' || all === undefined) return full
  const passing = issuesThat(passes, all as ClosingIssue[], view)
  if ('unread' in passing) return { is: 'unread', source: passing.unread }
  if (passing.length === all.length) return full
  const part = known(names, textsOf(passing, values), false)
  return part.is === 'known' ? { ...part, missing } : part
}

function issueFact(declared: Pick<Fact<string[]>, 'doc' | 'example' | 'toFix'>, values: ReadValues): Fact<string[]> {
  const { mergeRequest, closesIssues, project, otherProject, authorAccess, authorAccessIn } = sources
  return {
    ...declared,
    type: names,
    from: [mergeRequest, closesIssues, project, otherProject, authorAccess, authorAccessIn].map(({ name }) => name),
    read: (view) => readIssues(view, values, view.policy?.issues === 'any' ? anyIssue : isSeenByAuthor, MISSING),
    readPublic: (view) => readIssues(view, values, isPublicIssue, NOT_SHOWN),
  }
}

export const closes_issues = issueFact(
  {
    doc: 'The issues that the merge closes: `#12`, or the id of one in another tracker.',
    example: 'closes_issues: { any: "*" }',
    toFix: 'issues to close with',
  },
  (issue) => [Number.isSafeInteger(issue?.iid) ? `#${String(issue?.iid)}` : issue?.id],
)

export const closes_issue_titles = issueFact(
  {
    doc: 'The titles of the issues that the merge closes.',
    example: 'closes_issue_titles: { any: { matches: "(?i)security" } }',
    toFix: 'issues to close whose titles are',
  },
  (issue) => [issue?.title],
)

export const closes_issue_labels = issueFact(
  {
    doc: 'The labels of the issues that the merge closes; an issue of another tracker has none.',
    example: 'closes_issue_labels: { any: ["security", "severity::*"] }',
    toFix: 'issues to close whose labels are',
  },
  (issue) => {
    if (Array.isArray(issue?.labels)) return issue.labels
    return typeof issue?.id === 'string' ? [] : [undefined]
  },
)
