// Enqueues the open merge requests and issues of a project whose rules changed.
import type { Journal } from '../../journal/journal.ts'
import { hasRulesForIssues } from '../../rules/engine/conditions/rules-in-force.ts'
import { issueRef, refName } from '../../rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../queues.ts'
import { logName } from '../reporting/names.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import type { RulesInForce, StatedPush } from './rules-in-force.ts'

// Pages of 100 entries. The sweep finds more.
const maxPages = 5
// After everything that people wait for.
const priority = 10
// The version of the rules for which the open merge requests and issues were enqueued last.
const enqueuedVersion = 'enqueued rules version'
// Whether one of those rules was for issues.
const enqueuedIssues = 'enqueued rules for issues'

/**
 * A push to the default branch may change the rules of this project, and of those that include its files. Returns the
 * problems of this project's rules.
 */
export async function enqueueAfterPush(
  context: Context,
  project: number,
  push: StatedPush,
): Promise<readonly string[]> {
  const { journal } = context
  const own = await context.rules.afterPush(project, push)
  if (own === undefined) return []
  // A repository's first rules are a change too.
  await enqueueOpen(context, project, own, { alsoFirst: own.version !== '' })
  for (const includer of await includersOf(journal, project))
    if (includer !== project) await enqueueForIncluder(context, includer)
  return own.problems
}

/** Rule files may be included at the tag. */
export async function enqueueAfterTag(context: Context, project: number, tag: string): Promise<void> {
  const { journal } = context
  for (const includer of await includersOf(journal, project)) {
    const included = await context.rules.includes(includer)
    if (included.some(({ ref }) => ref === tag)) await enqueueForIncluder(context, includer)
  }
}

async function enqueueForIncluder(context: Context, includer: number): Promise<void> {
  try {
    await enqueueOpen(context, includer, await context.rules.refresh(includer), { alsoFirst: true })
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    const name = await logName(context.journal, { project: includer })
    context.log.warn(
      { event: 'including_project_unreadable', project: name, err: error },
      'a project that includes rules cannot be read',
    )
  }
}

/**
 * Enqueues the open merge requests, and the open issues when a rule is or was for issues, if the rules differ from
 * those they were enqueued for last; for a project not seen before only with `alsoFirst`.
 */
export async function enqueueOpen(
  context: Context,
  project: number,
  rules: Pick<RulesInForce, 'files' | 'policy' | 'version' | 'projectPath'>,
  { alsoFirst = false } = {},
): Promise<void> {
  const { journal, log } = context
  const { version, projectPath } = rules
  const { operatorVersion } = context.rules
  // The operator's rules and policy depend on the project's path.
  const now = operatorVersion === '' ? version : `${version}|${operatorVersion}|${projectPath}`
  // Not compared with what was read last: an evaluation may have read the new file before this push came.
  const before = await journal.marks.read(project, enqueuedVersion)
  if (now === (before ?? '')) return
  const forIssues = hasRulesForIssues(rules)
  if (before !== undefined || alsoFirst) {
    const name = refName({ project, path: projectPath })
    log.info({ event: 'rules_changed', project: name }, 'the rules changed: what is open is evaluated again')
    // After the last rule for issues is gone, for withdrawals.
    const withIssues = forIssues || (await journal.marks.read(project, enqueuedIssues)) === 'yes'
    if (!withIssues) await enqueueMergeRequests(context, project)
    else {
      // A project may have turned one of the two off.
      await unlessRefused(context, name, 'merge requests', () => enqueueMergeRequests(context, project))
      await unlessRefused(context, name, 'issues', () => enqueueIssues(context, project))
    }
  }
  await journal.marks.write(project, enqueuedIssues, forIssues ? 'yes' : 'no')
  // Last, so that a run that fails is repeated.
  await journal.marks.write(project, enqueuedVersion, now)
}

async function enqueueMergeRequests(context: Context, project: number): Promise<void> {
  const { client, journal, queues } = context
  const params = { id: project, state: 'opened', per_page: 100 } as const
  for await (const page of client.pages(client.mergeRequests.list, params, { maxPages })) {
    for (const { iid } of page.body) {
      if (iid === undefined) continue
      const each = { project, iid }
      await enqueueEvaluation(queues.mergeRequests, each, priority)
      if (await hasRuleChangeNote(journal, each)) await enqueueEvaluation(queues.ruleChanges, each, 20)
    }
  }
}

async function enqueueIssues(context: Context, project: number): Promise<void> {
  const { client, queues } = context
  const params = { id: project, state: 'opened', per_page: 100 } as const
  for await (const page of client.pages(client.issues.list, params, { maxPages }))
    for (const { iid } of page.body)
      if (iid !== undefined) await enqueueEvaluation(queues.mergeRequests, issueRef(project, iid), priority)
}

const refusedEvents = {
  'merge requests': 'merge_requests_unreadable',
  issues: 'issues_unreadable',
} as const

/** A list that the service refuses is logged. The 404 of merge requests is that of the project, and is thrown. */
async function unlessRefused(
  { log }: Context,
  name: string,
  what: keyof typeof refusedEvents,
  enqueue: () => Promise<void>,
): Promise<void> {
  try {
    await enqueue()
  } catch (error) {
    if (!isPermanentRefusal(error) || (what === 'merge requests' && isNotFound(error))) throw error
    const message = `the ${what} of a project cannot be listed`
    log.warn({ event: refusedEvents[what], project: name, err: error }, message)
  }
}

/** The projects that include files of this one. */
async function includersOf(journal: Journal, project: number): Promise<number[]> {
  const { includedBy } = await journal.ruleFiles.of(project)
  return [...new Set(includedBy.map((each) => each.project))]
}

/** The mark that says what became of the note on changed rules: `written` or `removed`. */
export const ruleChangeMark = ({ iid }: MergeRequestRef) => `rule change note ${iid}`

/** Whether such a note was written and still exists. Throws JournalUnavailable. */
export async function hasRuleChangeNote(journal: Journal, ref: MergeRequestRef): Promise<boolean> {
  return (await journal.marks.read(ref.project, ruleChangeMark(ref))) === 'written'
}
