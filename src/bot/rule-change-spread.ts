// A change of the rules judges the open merge requests again, in the background (DESIGN §4, Layers and trust).
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import type { Journal } from '../journal/types.ts'
import type { Lane } from '../queue/types.ts'
import { keyOf, type MergeRequestJob } from './merge-request-job.ts'
import { isAbsentForGood } from './outcome.ts'
import { hasNote } from './rule-change-note.ts'
import type { RuleFiles, RulesInForce } from './rule-files.ts'
import { includersOf } from './rule-includers.ts'

export interface SpreadOptions {
  service: string
  client: Pick<Client, 'projects' | 'mergeRequests' | 'pages'>
  journal: Pick<Journal, 'projectMark' | 'markProject'>
  mergeRequests: Lane<MergeRequestJob>
  /** Merge requests that change the rules, or may: their notes compare with the rules in force. */
  ruleChanges: Lane<MergeRequestJob>
  ruleFiles: RuleFiles
  log: Logger
}

// Of 100 each: more open merge requests than that are judged when something happens to them.
const maxPages = 5
// The version of the rules by which all open merge requests were woken last.
const rulesSpread = 'rules spread'

/** A branch was pushed to: where it is the default branch, the rules may be others now, here and wherever files of it are included. */
export async function spreadPush(options: SpreadOptions, project: number, branch: string): Promise<void> {
  const { client, journal, ruleFiles, service } = options
  const { default_branch } = (await client.projects.get({ id: project })).body
  if (default_branch !== branch) return
  const own = await ruleFiles.refresh(project)
  // A repository that has rules for the first time has changed them.
  await spread(options, project, own, own.version !== '')
  for (const includer of await includersOf(journal, service, project)) if (includer !== project) await spreadTo(options, includer)
}

/** A tag was pushed to: rule files may be included at it. */
export async function spreadTag(options: SpreadOptions, project: number, tag: string): Promise<void> {
  const { journal, ruleFiles, service } = options
  for (const includer of await includersOf(journal, service, project)) {
    const included = await ruleFiles.includes(includer)
    if (included.some(({ ref }) => ref === tag)) await spreadTo(options, includer)
  }
}

async function spreadTo(options: SpreadOptions, includer: number): Promise<void> {
  try {
    await spread(options, includer, await options.ruleFiles.refresh(includer), true)
  } catch (error) {
    if (!isAbsentForGood(error)) throw error
    options.log.warn({ event: 'includer unreadable', project: includer, err: error }, 'a project that includes rules cannot be read')
  }
}

/** Wakes the open merge requests of a project whose rules are others than when that was done last; of one never seen before only where `alsoFirst`. */
export async function spread(
  { service, client, journal, mergeRequests, ruleChanges, ruleFiles, log }: SpreadOptions,
  project: number,
  { version, projectPath }: Pick<RulesInForce, 'version' | 'projectPath'>,
  alsoFirst: boolean,
): Promise<void> {
  const { operatorVersion } = ruleFiles
  // Which of the operator's rules and policy are for a project is said of its path.
  const now = operatorVersion === '' ? version : `${version}|${operatorVersion}|${projectPath}`
  // Compared with what was spread, not with what was read last: an evaluation may have read the new file before this push came.
  const before = await journal.projectMark(service, project, rulesSpread)
  if (now === (before ?? '')) return
  if (before !== undefined || alsoFirst) {
    log.info({ event: 'rules changed', project }, 'the rules changed: open merge requests are judged again')
    for await (const page of client.pages(client.mergeRequests.list, { id: project, state: 'opened', per_page: 100 }, { maxPages })) {
      for (const { iid } of page.body) {
        if (iid === undefined) continue
        const each = { service, project, iid }
        // Behind everything that people wait for.
        await mergeRequests.add({ data: each, oneAtATime: keyOf(each), priority: 10 })
        if (await hasNote(journal, each)) await ruleChanges.add({ data: each, oneAtATime: keyOf(each), priority: 20 })
      }
    }
  }
  // Last, so that what fails half-way is done again.
  await journal.markProject(service, project, rulesSpread, now)
}
