// Enqueues the open merge requests and issues of a project whose rules changed.
import type { Logger } from 'pino'
import type { Client } from '../../client/create-client.ts'
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import { hasRulesForIssues } from '../../rules/engine/conditions/rules-in-force.ts'
import { refName } from '../../rules/explain/ref-name.ts'
import { issueRef } from '../../rules/facts/definition/subject-ref.ts'
import { enqueueEvaluation, type MergeRequestJob } from '../evaluation/merge-request-job.ts'
import { logName } from '../reporting/log-names.ts'
import type { RuleFiles, StatedPush } from '../rule-files/rule-files.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import { hasNote } from './note.ts'

export interface EnqueueOpenOptions {
  client: Pick<Client, 'mergeRequests' | 'issues' | 'pages'>
  journal: Pick<Journal, 'marks' | 'mergeRequests' | 'ruleFiles'>
  mergeRequests: JobQueue<MergeRequestJob>
  /** For the notes, which compare with the rules in force. */
  ruleChanges: JobQueue<MergeRequestJob>
  ruleFiles: RuleFiles
  log: Logger
}

// Of 100 each; the sweep finds more.
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
  options: EnqueueOpenOptions,
  project: number,
  push: StatedPush,
): Promise<readonly string[]> {
  const { journal, ruleFiles } = options
  const own = await ruleFiles.afterPush(project, push)
  if (own === undefined) return []
  // A repository's first rules are a change too.
  await enqueueOpen(options, project, own, { alsoFirst: own.version !== '' })
  for (const includer of await includersOf(journal, project))
    if (includer !== project) await enqueueForIncluder(options, includer)
  return own.problems
}

/** Rule files may be included at the tag. */
export async function enqueueAfterTag(options: EnqueueOpenOptions, project: number, tag: string): Promise<void> {
  const { journal, ruleFiles } = options
  for (const includer of await includersOf(journal, project)) {
    const included = await ruleFiles.includes(includer)
    if (included.some(({ ref }) => ref === tag)) await enqueueForIncluder(options, includer)
  }
}

async function enqueueForIncluder(options: EnqueueOpenOptions, includer: number): Promise<void> {
  try {
    await enqueueOpen(options, includer, await options.ruleFiles.refresh(includer), { alsoFirst: true })
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    const name = await logName(options.journal, { project: includer })
    options.log.warn(
      { event: 'including_project_unreadable', project: name, err: error },
      'a project that includes rules cannot be read',
    )
  }
}

/**
 * Enqueues the open merge requests, and the open issues where a rule is or was for issues, if the rules differ from
 * those they were enqueued for last; for a project not seen before only with `alsoFirst`.
 */
export async function enqueueOpen(
  options: EnqueueOpenOptions,
  project: number,
  rules: Pick<RulesInForce, 'files' | 'policy' | 'version' | 'projectPath'>,
  { alsoFirst = false } = {},
): Promise<void> {
  const { journal, log } = options
  const { version, projectPath } = rules
  const { operatorVersion } = options.ruleFiles
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
    if (!withIssues) await enqueueMergeRequests(options, project)
    else {
      // A project may have turned one of the two off.
      await unlessRefused(options, name, 'merge requests', () => enqueueMergeRequests(options, project))
      await unlessRefused(options, name, 'issues', () => enqueueIssues(options, project))
    }
  }
  await journal.marks.write(project, enqueuedIssues, forIssues ? 'yes' : 'no')
  // Last, so that a run that fails is repeated.
  await journal.marks.write(project, enqueuedVersion, now)
}

async function enqueueMergeRequests(options: EnqueueOpenOptions, project: number): Promise<void> {
  const { client, journal, mergeRequests, ruleChanges } = options
  const params = { id: project, state: 'opened', per_page: 100 } as const
  for await (const page of client.pages(client.mergeRequests.list, params, { maxPages })) {
    for (const { iid } of page.body) {
      if (iid === undefined) continue
      const each = { project, iid }
      await enqueueEvaluation(mergeRequests, each, priority)
      if (await hasNote(journal, each)) await enqueueEvaluation(ruleChanges, each, 20)
    }
  }
}

async function enqueueIssues(options: EnqueueOpenOptions, project: number): Promise<void> {
  const { client, mergeRequests } = options
  const params = { id: project, state: 'opened', per_page: 100 } as const
  for await (const page of client.pages(client.issues.list, params, { maxPages }))
    for (const { iid } of page.body)
      if (iid !== undefined) await enqueueEvaluation(mergeRequests, issueRef(project, iid), priority)
}

const refusedEvents = {
  'merge requests': 'merge_requests_unreadable',
  issues: 'issues_unreadable',
} as const

/** A list that the service refuses is logged. The 404 of merge requests is that of the project, and is thrown. */
async function unlessRefused(
  { log }: Pick<EnqueueOpenOptions, 'log'>,
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
async function includersOf(journal: Pick<Journal, 'ruleFiles'>, project: number): Promise<number[]> {
  const { includedBy } = await journal.ruleFiles.of(project)
  return [...new Set(includedBy.map((each) => each.project))]
}
