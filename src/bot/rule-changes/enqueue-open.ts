// Enqueues the open merge requests of a project whose rules changed (DESIGN §4).
import type { Logger } from 'pino'
import type { Client } from '../../client/create-client.ts'
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import { refName } from '../../rules/explain/ref-name.ts'
import { enqueueEvaluation, type MergeRequestJob } from '../evaluation/merge-request-job.ts'
import { logName } from '../reporting/log-names.ts'
import type { RuleFiles, StatedPush } from '../rule-files/rule-files.ts'
import { includersOf } from '../rule-files/rule-includers.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { hasNote } from './note.ts'

export interface EnqueueOpenOptions {
  service: string
  client: Pick<Client, 'mergeRequests' | 'pages'>
  journal: Pick<Journal, 'projectMark' | 'markProject' | 'changeMark' | 'names'>
  mergeRequests: JobQueue<MergeRequestJob>
  /** For the notes, which compare with the rules in force. */
  ruleChanges: JobQueue<MergeRequestJob>
  ruleFiles: RuleFiles
  log: Logger
}

// Of 100 each; the sweep finds more.
const maxPages = 5
// The version of the rules for which the open merge requests were enqueued last.
const enqueuedVersion = 'enqueued rules version'

/**
 * A push to the default branch may change the rules of this project, and of those that include its files. Returns the
 * problems of this project's rules.
 */
export async function enqueueAfterPush(
  options: EnqueueOpenOptions,
  project: number,
  push: StatedPush,
): Promise<readonly string[]> {
  const { journal, ruleFiles, service } = options
  const own = await ruleFiles.afterPush(project, push)
  if (own === undefined) return []
  // A repository's first rules are a change too.
  await enqueueOpenMergeRequests(options, project, own, { alsoFirst: own.version !== '' })
  for (const includer of await includersOf(journal, service, project))
    if (includer !== project) await enqueueForIncluder(options, includer)
  return own.problems
}

/** Rule files may be included at the tag. */
export async function enqueueAfterTag(options: EnqueueOpenOptions, project: number, tag: string): Promise<void> {
  const { journal, ruleFiles, service } = options
  for (const includer of await includersOf(journal, service, project)) {
    const included = await ruleFiles.includes(includer)
    if (included.some(({ ref }) => ref === tag)) await enqueueForIncluder(options, includer)
  }
}

async function enqueueForIncluder(options: EnqueueOpenOptions, includer: number): Promise<void> {
  try {
    await enqueueOpenMergeRequests(options, includer, await options.ruleFiles.refresh(includer), { alsoFirst: true })
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    const name = await logName(options.journal, { service: options.service, project: includer })
    options.log.warn(
      { event: 'including_project_unreadable', project: name, err: error },
      'a project that includes rules cannot be read',
    )
  }
}

/**
 * Enqueues the open merge requests if the rules differ from those they were enqueued for last; for a project not
 * seen before only with `alsoFirst`.
 */
export async function enqueueOpenMergeRequests(
  { service, client, journal, mergeRequests, ruleChanges, ruleFiles, log }: EnqueueOpenOptions,
  project: number,
  { version, projectPath }: Pick<RulesInForce, 'version' | 'projectPath'>,
  { alsoFirst = false } = {},
): Promise<void> {
  const { operatorVersion } = ruleFiles
  // The operator's rules and policy depend on the project's path.
  const now = operatorVersion === '' ? version : `${version}|${operatorVersion}|${projectPath}`
  // Not compared with what was read last: an evaluation may have read the new file before this push came.
  const before = await journal.projectMark(service, project, enqueuedVersion)
  if (now === (before ?? '')) return
  if (before !== undefined || alsoFirst) {
    const name = refName({ project, path: projectPath })
    log.info({ event: 'rules_changed', project: name }, 'the rules changed: open merge requests are evaluated again')
    for await (const page of client.pages(
      client.mergeRequests.list,
      { id: project, state: 'opened', per_page: 100 },
      { maxPages },
    )) {
      for (const { iid } of page.body) {
        if (iid === undefined) continue
        const each = { service, project, iid }
        // After everything that people wait for.
        await enqueueEvaluation(mergeRequests, each, 10)
        if (await hasNote(journal, each)) await enqueueEvaluation(ruleChanges, each, 20)
      }
    }
  }
  // Last, so that a run that fails is repeated.
  await journal.markProject(service, project, enqueuedVersion, now)
}
