// Enqueues the open merge requests and issues of a project whose rules changed.
import type { Pages } from '../../client/pages.ts'
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
/** What was enqueued last: for which version of the rules, and whether one of them was for issues. */
interface Enqueued {
  version: string
  forIssues: boolean
}

export const enqueuedMark = 'enqueued rules'

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
  rules: Pick<RulesInForce, 'files' | 'problems' | 'policy' | 'version' | 'projectPath'>,
  { alsoFirst = false } = {},
): Promise<void> {
  const { journal, log } = context
  const { version, projectPath } = rules
  const { operatorVersion } = context.rules
  // The operator's rules and policy depend on the project's path.
  const now = operatorVersion === '' ? version : `${version}|${operatorVersion}|${projectPath}`
  // Not compared with what was read last: an evaluation may have read the new file before this push came.
  const before = await journal.marks.read<Enqueued>(project, enqueuedMark)
  if (now === (before?.version ?? '')) return
  const forIssues = hasRulesForIssues(rules)
  if (before !== undefined || alsoFirst) {
    const name = refName({ project, path: projectPath })
    log.info({ event: 'rules_changed', project: name }, 'the rules changed: what is open is evaluated again')
    // After the last rule for issues is gone, for withdrawals.
    const withIssues = forIssues || before?.forIssues === true
    await enqueueListed(context, project, 'merge requests').catch((error: unknown) => {
      // A project may have turned one of the two off. The 404 of merge requests is that of the project.
      if (!withIssues || isNotFound(error)) throw error
      warnOfRefusal(context, name, 'merge requests', error)
    })
    if (withIssues)
      await enqueueListed(context, project, 'issues').catch((error: unknown) =>
        warnOfRefusal(context, name, 'issues', error),
      )
  }
  // After that, because withdrawals must not wait for it.
  await repairHook(context, project, rules)
  // Last, so that a run that fails is repeated.
  await journal.marks.write(project, enqueuedMark, { version: now, forIssues })
}

/** A hook from before these rules may lack events that they need. Where Bellhop may not change it, the log says so. */
async function repairHook(
  { operator, log }: Context,
  project: number,
  rules: Pick<RulesInForce, 'files' | 'problems' | 'policy' | 'projectPath'>,
): Promise<void> {
  const { policy, projectPath, problems } = rules
  // A broken file would ask for every event.
  if (operator.hooks === undefined || policy.mode !== 'act' || projectPath === undefined || problems.length > 0) return
  try {
    const events = await operator.hooks.repair({ id: project, path: projectPath }, rules)
    if (events.length > 0)
      log.info({ event: 'hook_repaired', project: projectPath, events }, 'the hook lacked events that the rules need')
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    const text = 'the hook may lack events that the rules need: a Maintainer runs bellhop hooks install'
    log.warn({ event: 'hook_not_repaired', project: projectPath, err: error }, text)
  }
}

const refusedEvents = {
  'merge requests': 'merge_requests_unreadable',
  issues: 'issues_unreadable',
} as const

/** Enqueues the newest 500 that are open; the sweep finds more. Throws what client, journal and queue throw. */
export async function enqueueListed(
  context: Context,
  project: number,
  what: keyof typeof refusedEvents,
): Promise<void> {
  const { client, journal, queues } = context
  const params = { id: project, state: 'opened', per_page: 100 } as const
  const pages: Pages<{ iid?: number }> =
    what === 'issues'
      ? client.pages(client.issues.list, params, { maxPages })
      : client.pages(client.mergeRequests.list, params, { maxPages })
  for await (const page of pages)
    for (const { iid } of page.body) {
      if (iid === undefined) continue
      const each = what === 'issues' ? issueRef(project, iid) : { project, iid }
      await enqueueEvaluation(queues.mergeRequests, each, priority)
      if (what === 'merge requests' && (await hasRuleChangeNote(journal, each)))
        await enqueueEvaluation(queues.ruleChanges, each, 20)
    }
}

/** Logs that the service refuses a list; throws other errors. */
function warnOfRefusal({ log }: Context, project: string, what: keyof typeof refusedEvents, err: unknown): void {
  if (!isPermanentRefusal(err)) throw err
  log.warn({ event: refusedEvents[what], project, err }, `the ${what} of a project cannot be listed`)
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
