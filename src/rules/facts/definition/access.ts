// Access levels: whether readers of a merge request, or its author, may read what it names. And who is Bellhop itself.
import { level, levelOf } from '../../language/operators/fact-types.ts'
import type { DecideInput, Event, FactValue } from '../../types.ts'
import { type FactView, known, type Reading } from './fact.ts'
import type { Source } from './source.ts'
import { sources } from './sources.ts'

/** The lowest level of a member. */
export const GUEST = 10
/** The lowest level that reads confidential issues. */
export const REPORTER = 20

/** The access level, as a number if this version has no name for it; `none` for a non-member. */
export function accessIn(reading: Reading<{ access_level: number }>): FactValue {
  if (reading.is === 'absent' && reading.status === 404) return known(level, 'none')
  return reading.is === 'read' ? known(level, levelOf(reading.body.access_level)) : reading
}

/** An issue as a service may send it: an issue of another tracker has a text as its id, and no project. */
export interface ClosingIssue {
  id?: unknown
  iid?: unknown
  project_id?: unknown
  title?: unknown
  labels?: unknown
  confidential?: unknown
  references?: { full?: unknown } | null
}

/** Decides for one issue. */
export type IssueTest = (issue: ClosingIssue, view: FactView) => boolean

/** A description may name any number of projects: more would cost too many calls. */
const MOST_OTHER_PROJECTS = 5
const OPEN_LEVELS: unknown[] = ['enabled', 'public']

function projectOf({ project_id }: ClosingIssue): number | undefined {
  return Number.isSafeInteger(project_id) && Number(project_id) > 0 ? Number(project_id) : undefined
}

/** The source for the issue's project: the merge request's own, or another by its id. */
function readOf<B>(project: number, view: FactView, own: Source<B>, other: Source<B>): Reading<B> {
  return project === view.mergeRequest.project ? view.source(own) : view.source(other, String(project))
}

/** Whether every reader of the merge request may read the issue. Fails closed: it may be private. */
export const isPublicIssue: IssueTest = (issue, view) => {
  const project = projectOf(issue)
  const { id, title } = issue
  // A key that reveals no more than the merge request itself.
  if (project === undefined) return typeof id === 'string' && (title === undefined || title === `External Issue ${id}`)
  if (issue.confidential !== false) return false
  const reading = readOf(project, view, sources.project, sources.otherProject)
  if (reading.is === 'absent') return false
  const { visibility, issues_access_level: level } = reading.body
  const isOwn = project === view.mergeRequest.project
  // Readers of a merge request of a private project are members, and members read its issues.
  if (isOwn && visibility === 'private') return true
  return (isOwn || visibility === 'public') && OPEN_LEVELS.includes(level)
}

/** Whether the author of the merge request may read the issue. Fails closed: unknown access is no access. */
export const isSeenByAuthor: IssueTest = (issue, view) => {
  if (isPublicIssue(issue, view)) return true
  const project = projectOf(issue)
  return project !== undefined && authorHas(issue.confidential === false ? GUEST : REPORTER, project, view)
}

/** Whether the author of the merge request has this level in the project. Fails closed: unknown access is no access. */
function authorHas(level: number, project: number, view: FactView): boolean {
  // The author's id is in the merge request.
  const mergeRequest = view.source(sources.mergeRequest)
  // Bellhop may read a lot, and other people can change what its merge requests name.
  if (mergeRequest.is === 'read' && mergeRequest.body.author?.id === view.bot.id) return false
  const member = readOf(project, view, sources.authorAccess, sources.authorAccessIn)
  return member.is === 'read' && Number(member.body.access_level) >= level
}

/** Whether every reader of the merge request may read the merge requests of this project. */
export function isPublicMergeRequest(project: number, view: FactView): boolean {
  if (project === view.mergeRequest.project) return true
  const reading = view.source(sources.otherProject, String(project))
  if (reading.is === 'absent') return false
  const { visibility, merge_requests_access_level: level } = reading.body
  return visibility === 'public' && level === 'enabled'
}

/** Whether rules may use a merge request of the project: its author may read it, or the operator allows all. */
export function isUsableMergeRequest(project: number, view: FactView): boolean {
  // Always checked first: the calls must not depend on what a text may show.
  if (isPublicMergeRequest(project, view)) return true
  // Guests of a private project see no merge requests.
  return view.policy?.issues === 'any' || authorHas(REPORTER, project, view)
}

/** The issues that pass the test. After the first other projects, no further ones pass. */
export function issuesThat(passes: IssueTest, issues: readonly ClosingIssue[], view: FactView): ClosingIssue[] {
  const others = new Set(
    issues.flatMap((issue) => projectOf(issue) ?? []).filter((id) => id !== view.mergeRequest.project),
  )
  const skipped = new Set([...others].slice(MOST_OTHER_PROJECTS))
  return issues.filter((issue) => {
    const project = projectOf(issue)
    return (project === undefined || !skipped.has(project)) && passes(issue, view)
  })
}

/** Whether Bellhop's user did it: Bellhop itself, or anyone else with that user's password or token. */
export function isOwn({ actor }: Pick<Event, 'actor'>, bot: DecideInput['bot']): boolean {
  return actor.id === undefined ? actor.username === bot.username : actor.id === bot.id
}
