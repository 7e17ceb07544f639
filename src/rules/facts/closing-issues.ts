// The issues that the merge closes: those its author may see, and if there are others. Public text: those all may see.

import { boolean, names } from '../language/operators/fact-types.ts'
import type { FactValue } from '../types.ts'
import { type ClosingIssue, type IssueTest, isPublicIssue, isSeenByAuthor, issuesThat } from './definition/access.ts'
import { closedBy, mayNameIssues } from './definition/closing-references.ts'
import { type Fact, type FactView, known, NOT_SHOWN } from './definition/fact.ts'
import { items } from './definition/service-values.ts'
import { sources } from './definition/sources.ts'

type ReadValues = (issue: ClosingIssue | undefined) => unknown[]

/** The distinct values; a value that is no text makes the fact absent. */
function textsOf(issues: readonly (ClosingIssue | undefined)[] | undefined, values: ReadValues): unknown {
  return issues === undefined ? undefined : [...new Set(issues.flatMap(values))]
}

/** Says what a decision leaves out of the list. */
const MISSING = 'issues that its author is not known to see'

function readIssues(view: FactView, values: ReadValues, passes: IssueTest, missing: string): FactValue {
  const reading = view.source(sources.closesIssues)
  if (reading.is !== 'read') return reading
  const all = items(reading.body as readonly ClosingIssue[])
  const full = known(names, textsOf(all, values), reading.complete)
  if (full.is !== 'known' || all === undefined) return full
  const passing = issuesThat(passes, all as ClosingIssue[], view)
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
    read: (view) => readIssues(view, values, view.policy?.issues === 'any' ? () => true : isSeenByAuthor, MISSING),
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

/** More issues of commit messages that the service does not list are not looked up. */
const MOST_LOOKED_UP = 10

/** The messages of the commits that land; undefined if they cannot all be read. */
function landingMessages(view: FactView): string[] | undefined {
  const commits = view.source(sources.landingCommits)
  const listed = commits.is === 'read' && commits.complete ? items(commits.body) : undefined
  const messages = listed?.map((each) => each?.message)
  return messages?.every((each) => typeof each === 'string') === true ? messages : undefined
}

/** The service may list only what the author sees, but closes what commits name with the rights of who merges. */
function closedByCommits(texts: readonly string[], listed: readonly ClosingIssue[], view: FactView) {
  const project = view.source(sources.project)
  const { path_with_namespace: own, web_url: page } = project.is === 'read' ? project.body : {}
  if (typeof own !== 'string') return undefined
  const isListed = (name: string) =>
    listed.some(({ iid, project_id, references }) => {
      const full = project_id === view.mergeRequest.project ? `${own}#${String(iid)}` : references?.full
      return typeof full === 'string' && full.toLowerCase() === name.toLowerCase()
    })
  const place = { own, page: typeof page === 'string' ? page : '' }
  const names = [...new Set(texts.flatMap((text) => closedBy(text, place)))].filter((name) => !isListed(name))
  if (names.length > MOST_LOOKED_UP) return undefined
  return names.flatMap((name) => {
    const issue = view.source(sources.referencedIssue, name)
    return issue.is === 'read' ? [issue.body as ClosingIssue] : []
  })
}

const unclear = (what: string): FactValue => ({ is: 'absent', reason: `${what}, so it may close a hidden issue` })

function readHidden(view: FactView): FactValue {
  if (view.policy?.issues === 'any') return known(boolean, false)
  const mergeRequest = view.source(sources.mergeRequest)
  if (mergeRequest.is !== 'read') return mergeRequest
  const project = view.source(sources.project)
  const { title, description, target_branch: target } = mergeRequest.body
  const main = project.is === 'read' ? project.body.default_branch : undefined
  if (typeof main === 'string' && typeof target === 'string' && main !== target) return known(boolean, false)
  const messages = landingMessages(view)
  const texts = [title, description ?? '', ...(messages ?? [undefined])]
  if (texts.every((text) => typeof text === 'string' && !mayNameIssues(text))) return known(boolean, false)
  const listed = view.source(sources.closesIssues)
  if (listed.is !== 'read') return listed
  const issues = listed.complete ? items(listed.body as readonly ClosingIssue[]) : undefined
  if (issues === undefined) return unclear('the issues to close are not all listed')
  if (messages === undefined) return unclear('its commit messages cannot all be read')
  const all = issues as ClosingIssue[]
  const closed = closedByCommits([String(title), ...messages], all, view)
  if (closed === undefined) return unclear('its commit messages name too many issues')
  const passing = issuesThat(isSeenByAuthor, [...all, ...closed], view)
  return known(boolean, passing.length < all.length + closed.length)
}

export const closes_hidden_issues: Fact<boolean> = {
  doc: 'Whether its merge would close an issue that its author is not known to see, by a text of its own or a commit message: the service closes it with the rights of who merges. `accept` never merges such a one. False where the operator allows rules to use all issues.',
  type: boolean,
  from: [
    ...[sources.mergeRequest, sources.project, sources.landingCommits, sources.closesIssues, sources.referencedIssue],
    ...[sources.otherProject, sources.authorAccess, sources.authorAccessIn],
  ].map(({ name }) => name),
  read: readHidden,
  // Bellhop merges no such merge request. For one that people merged, the value is unknown.
  beforeEnd: { merged: false, closed: false },
  whileOpen: true,
  example: 'closes_hidden_issues: false',
  toFix: {
    false:
      'a description and commit messages that close no issue which its author may not see, or a merge by a person who may',
  },
}
