// The rules in force for a project, remembered in the journal and read again when they are too old.
import type { LimitFunction } from 'p-limit'
import type { Logger } from 'pino'
import type { Journal, RuleFileRecord } from '../../journal/types.ts'
import { refName } from '../../rules/explain/ref-name.ts'
import { nameOf } from '../../rules/language/include.ts'
import { unknownChats } from '../../rules/lint/named-references.ts'
import type { Include } from '../../rules/types.ts'
import type { FlowCounters } from '../reporting/counters.ts'
import { type ProjectAnswer, type RuleReader, readIncludes, readOwnFile } from './read-project-rules.ts'
import { type FileText, fileAt, isCommit } from './read-rule-file.ts'
import { createRuleCache, type RuleCache } from './rule-cache.ts'
import { includedPaths, noteIncludes } from './rule-includers.ts'
import { includesOf, recordWithText, repositoryRulePath } from './rule-records.ts'
import { operatorVersion, type ProjectRecords, type RulesInForce, rulesInForce } from './rules-in-force.ts'
import { type KnownRules, type ReportedPath, singleFlightReads } from './single-flight.ts'

// A lost push hook is repaired after this time at the latest; before an accept the file is read again anyway.
const defaultTrustedForMs = 5 * 60_000
// A default branch that was read this long ago may have changed, whatever a delivery says.
const branchTrustedForMs = 60 * 60_000

/** What was read last, and from where. */
export interface RuleFileState extends RulesInForce {
  /** Of the repository's file. */
  branch: string
  /** ISO 8601. */
  readAt: string
}

export interface InForceOptions {
  /** Rules read within this time are reused; five minutes when absent. */
  trustedForMs?: number
  /** Where it differs from the path that was read, and is newer, the rules are read again. */
  reported?: ReportedPath | undefined
  /** Callers of one project then share one reading, and continue in the order of their calls. */
  limitConcurrency?: LimitFunction
}

/** `to`: a commit. `defaultBranch`: that of the project at the time. */
export interface StatedPush {
  branch: string
  to: string
  defaultBranch?: string | undefined
}

export interface RuleFiles {
  /** Throws what the client throws: an unreadable file is never "no rules". */
  inForce(project: number, options?: InForceOptions): Promise<RulesInForce>
  /** As it was read last, however long ago; undefined where it never was. Costs no call. */
  known(project: number): Promise<RuleFileState | undefined>
  /** Reads the repository's file and its includes again; `answer`: the project, if just read. */
  refresh(project: number, answer?: ProjectAnswer): Promise<RulesInForce>
  /** The rules after a push, as a delivery says; undefined where that was to another branch than the default one. */
  afterPush(project: number, push: StatedPush): Promise<RulesInForce | undefined>
  /** What would be in force if the repository's file were this one (null: none). Stores nothing. */
  asIf(project: number, file: FileText | null): Promise<RulesInForce>
  /** What the project's file includes, as it was read last. Costs no call. */
  includes(project: number): Promise<Include[]>
  /** Changes when the operator's own files or policy do. */
  operatorVersion: string
}

export interface RuleFilesOptions extends Omit<RuleReader, 'journal' | 'read'> {
  journal: Pick<Journal, 'ruleFile' | 'saveRuleFile' | 'projectMark' | 'changeMark'>
  /** One for all services of the process; a new one when absent. */
  ruleCache?: RuleCache | undefined
  counting?: FlowCounters | undefined
  /** Called for each broken version of a file, before it is stored. */
  onBroken?: (file: RuleFileRecord) => Promise<void>
  log: Logger
}

type Context = RuleFilesOptions & RuleReader

/** Rule files of one service's projects, kept in the journal by blob. */
export function createRuleFiles(options: RuleFilesOptions): RuleFiles {
  const context: Context = { ...options, read: options.ruleCache ?? createRuleCache() }
  const singleFlight = singleFlightReads<RulesInForce>(options.now)
  return {
    async inForce(project, { trustedForMs = defaultTrustedForMs, reported, limitConcurrency } = {}) {
      const look = () => trustedRules(context, project, trustedForMs)
      const read = () => refresh(context, project)
      const found = await look()
      const isValid = found !== undefined && (reported === undefined || found.isValidFor(reported))
      const known = isValid ? await found.rules() : undefined
      if (limitConcurrency === undefined) return known ?? read()
      return singleFlight(project, { known, reported, look, read, limitConcurrency })
    },
    known: (project) => known(context, project),
    refresh: (project, answer) => refresh(context, project, answer),
    afterPush: (project, push) => afterPush(context, project, push),
    asIf: (project, file) => asIf(context, project, file),
    async includes(project) {
      const own = await recordOf(context, project)
      return own === undefined ? [] : includesOf(own, context.read)
    },
    operatorVersion: operatorVersion(options),
  }
}

function recordOf({ journal, service }: Context, project: number, path = repositoryRulePath) {
  return journal.ruleFile({ service, project, path })
}

async function assemble(context: Context, records: ProjectRecords, fresh: boolean): Promise<RulesInForce> {
  const { journal, service, read } = context
  const protects = await includedPaths(journal, service, records.own.project)
  return rulesInForce(context, records, { read, fresh, protects })
}

/** Undefined where they have to be read again in any case. */
async function trustedRules(
  context: Context,
  project: number,
  trustedForMs: number,
): Promise<KnownRules<RulesInForce> | undefined> {
  const own = await recordOf(context, project)
  if (own?.projectPath === undefined || context.now() - Date.parse(own.readAt) >= trustedForMs) return undefined
  const included = await includedRecords(context, own)
  if (included.includes(undefined)) return undefined
  const records = { own, included: included.filter((each) => each !== undefined) }
  return {
    rules: () => assemble(context, records, false),
    isValidFor: (reported) => !hasMoved(own, reported),
  }
}

async function known(context: Context, project: number): Promise<RuleFileState | undefined> {
  const own = await recordOf(context, project)
  if (own?.projectPath === undefined) return undefined
  const included = (await includedRecords(context, own)).filter((each) => each !== undefined)
  return { ...(await assemble(context, { own, included }, false)), branch: own.ref, readAt: own.readAt }
}

async function includedRecords(context: Context, own: RuleFileRecord): Promise<(RuleFileRecord | undefined)[]> {
  return Promise.all(includesOf(own, context.read).map((each) => recordOf(context, own.project, nameOf(each))))
}

/** A delivery may be late or forged: it only saves reading what is known already, and never changes the rules itself. */
async function afterPush(
  context: Context,
  project: number,
  { branch, to, defaultBranch }: StatedPush,
): Promise<RulesInForce | undefined> {
  const { client, journal, read, now } = context
  const own = await recordOf(context, project)
  if (own !== undefined && own.ref === defaultBranch && now() - Date.parse(own.readAt) < branchTrustedForMs) {
    if (branch !== defaultBranch) return undefined
    const file = isCommit(to) ? await fileAt(client, project, own.path, to) : undefined
    const isSame = file !== undefined && own.blob === (file?.blob ?? null) && own.text === (file?.text ?? null)
    if (isSame && includesOf(own, read).length === 0) {
      // The file of this commit is known now: it is not read again before a merge.
      const known = { ...own, commit: to }
      await journal.saveRuleFile(known)
      return assemble(context, { own: known, included: [] }, false)
    }
  }
  const answer = (await client.projects.get({ id: project }, { bypassCache: true })).body
  const isOther = own !== undefined && own.ref !== (answer.default_branch ?? '')
  return answer.default_branch === branch || isOther ? refresh(context, project, answer) : undefined
}

async function refresh(context: Context, project: number, answer?: ProjectAnswer): Promise<RulesInForce> {
  const { journal, service, counting, log } = context
  const before = await recordOf(context, project)
  const includedBefore = before === undefined ? [] : includesOf(before, context.read)
  const own = await readOwnFile(context, project, before, answer)
  const included = await readIncludes(context, own)
  await reportBroken(context, [own, ...included])
  for (const record of included) await journal.saveRuleFile(record)
  // Last: a process that finds this record also finds its includes.
  await journal.saveRuleFile(own)
  for (const record of [own, ...included]) counting?.ruleFile(record)
  const others = await Promise.all(includedBefore.map((each) => recordOf(context, project, nameOf(each))))
  await noteIncludes(journal, service, project, originsOf(included), originsOf(others))
  const rules = await assemble(context, { own, included }, true)
  const changed = (before?.blob ?? null) !== own.blob || before?.ref !== own.ref
  if (changed && rules.problems.length > 0)
    log.warn(
      { event: 'rule_file_broken', project: refName({ project, path: own.projectPath }), problems: rules.problems },
      `a rule file is broken: ${rules.problems[0]}`,
    )
  if (changed) warnOfUnknownChats(log, rules, refName({ project, path: own.projectPath }))
  return rules
}

function warnOfUnknownChats(log: Logger, { files, policy }: RulesInForce, project: string): void {
  const chats = unknownChats(files, policy.chats)
  if (chats.length === 0) return
  const message = `rules post to chats that the operator does not name for ${project}: ${chats.join(', ')}`
  log.warn({ event: 'chat_unknown', project, chats }, message)
}

/** Only of valid rule files: naming another project's file must not protect it. */
function originsOf(records: readonly (RuleFileRecord | undefined)[]) {
  return records.flatMap((each) => (each?.origin === undefined || each.good === null ? [] : [each.origin]))
}

async function reportBroken(context: Context, records: readonly RuleFileRecord[]): Promise<void> {
  for (const record of records) {
    if (record.problems.length === 0) continue
    const before = await recordOf(context, record.project, record.path)
    const isKnown = before?.blob === record.blob && before.problems.join() === record.problems.join()
    if (!isKnown) await context.onBroken?.(record)
  }
}

async function asIf(context: Context, project: number, file: FileText | null): Promise<RulesInForce> {
  const stored = await recordOf(context, project)
  const base = stored?.projectPath === undefined ? await readOwnFile(context, project, undefined) : stored
  const own = recordWithText({ ...base, readAt: new Date(context.now()).toISOString() }, file, null, context.read)
  return assemble(context, { own, included: await readIncludes(context, own) }, true)
}

/** Renamed or transferred since it was read; older reports are ignored. */
function hasMoved({ projectPath = '', readAt }: RuleFileRecord, reported: ReportedPath): boolean {
  return reported.at > readAt && reported.path.toLowerCase() !== projectPath.toLowerCase()
}
