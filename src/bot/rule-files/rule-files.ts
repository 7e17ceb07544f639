// The rules in force for a project, remembered in the journal and read again when they are too old.
import { isDeepStrictEqual } from 'node:util'
import type { LimitFunction } from 'p-limit'
import type { Logger } from 'pino'
import type { StoredRuleFiles } from '../../journal/tables/rule-files.ts'
import type { RuleFileRecord } from '../../journal/types.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { nameOf } from '../../rules/language/documents/document-head.ts'
import { unknownChats } from '../../rules/lint/named-references.ts'
import type { Context } from '../context.ts'
import { notify } from '../notifications/notify.ts'
import { type RuleReader, readIncludes, readOwnFile } from './read-project-rules.ts'
import { type FileText, fileAt, isCommit, type RuleCache } from './read-rule-file.ts'
import {
  includesOf,
  operatorVersion,
  type ProjectAnswer,
  type ReportedPath,
  type RuleFileState,
  type RuleFiles,
  type RulesInForce,
  recordWithText,
  repositoryRulePath,
  rulesInForce,
  type StatedPush,
} from './rules-in-force.ts'

// After this time the rules are read again: a hook may be lost. Before a merge they are read again anyway.
const reusedForMs = 15 * 60_000

/** All but what this makes. */
type Given = Omit<Context, 'rules'>

/** What each function here works with. */
type RuleContext = Given & RuleReader

/** Rule files of projects, stored in the journal by blob. */
export function createRuleFiles(given: Given, cache: RuleCache): RuleFiles {
  const { operatorFiles, policy } = given.operator
  const context: RuleContext = { ...given, operatorFiles, policy, read: cache }
  const readings = new Map<number, Promise<RulesInForce>>()

  function begin(project: number, limitConcurrency?: LimitFunction): Promise<RulesInForce> {
    const task = () => refresh(context, project)
    const reading = (limitConcurrency === undefined ? task() : limitConcurrency(task)).finally(() =>
      readings.delete(project),
    )
    readings.set(project, reading)
    return reading
  }

  return {
    async inForce(project, { reported, limitConcurrency, stored } = {}) {
      for (let given = stored; ; given = undefined) {
        // Goes on at once: it came before those that still look into the journal.
        const shared = await readings.get(project)
        if (shared !== undefined && !isElsewhere(shared, reported)) return { ...shared, fresh: false }
        const found = rulesRead(context, await storedRules(context, project, given), reported)
        if (found !== undefined) return found
        // All wait for the same promise, so that they go on in their order.
        if (!readings.has(project)) return await begin(project, limitConcurrency)
      }
    },
    known: (project) => known(context, project),
    refresh: (project, answer, stored) => refresh(context, project, answer, stored),
    afterPush: (project, push) => afterPush(context, project, push),
    asIf: (project, file) => asIf(context, project, file),
    async includes(project) {
      const { own } = await storedRules(context, project)
      return own === undefined ? [] : includesOf(own, context.read)
    },
    operatorVersion: operatorVersion(given.operator),
    cache,
  }
}

/** The project's own file, what it includes, and which of its files others include, as they were read last. */
interface StoredRules {
  own: RuleFileRecord | undefined
  /** How many there are. */
  size: number
  record(path: string): RuleFileRecord | undefined
  protects: string[]
}

async function storedRules({ journal }: RuleContext, project: number, given?: StoredRuleFiles): Promise<StoredRules> {
  const { files, includedBy } = given ?? (await journal.ruleFiles.of(project))
  const record = (path: string) => files.find((each) => each.path === path)
  const size = files.length
  return { own: record(repositoryRulePath), size, record, protects: [...new Set(includedBy.map(({ path }) => path))] }
}

/** Undefined if they have to be read again. */
function rulesRead(
  context: RuleContext,
  stored: StoredRules,
  reported: ReportedPath | undefined,
): RulesInForce | undefined {
  const { own } = stored
  if (own?.projectPath === undefined || isOld(context, own)) return undefined
  if (reported !== undefined && hasMoved(own, reported)) return undefined
  const included = includesOf(own, context.read).map((each) => stored.record(nameOf(each)))
  if (included.includes(undefined)) return undefined
  const found = included.filter((each) => each !== undefined)
  return rulesInForce(context, own, found, { ...stored, fresh: false })
}

const isOld = ({ now }: RuleContext, { readAt }: RuleFileRecord) => now() - Date.parse(readAt) >= reusedForMs

async function known(context: RuleContext, project: number): Promise<RuleFileState | undefined> {
  const stored = await storedRules(context, project)
  const { own } = stored
  if (own?.projectPath === undefined) return undefined
  const included = includesOf(own, context.read).flatMap((each) => stored.record(nameOf(each)) ?? [])
  const rules = rulesInForce(context, own, included, { ...stored, fresh: false })
  return { ...rules, branch: own.ref, readAt: own.readAt }
}

/** A delivery may be late or forged: it only saves reading what is known, and never changes the rules itself. */
async function afterPush(
  context: RuleContext,
  project: number,
  { branch, to, defaultBranch }: StatedPush,
): Promise<RulesInForce | undefined> {
  const { client, journal, read } = context
  const stored = await storedRules(context, project)
  const { own } = stored
  if (own !== undefined && own.ref === defaultBranch) {
    if (branch !== defaultBranch) return undefined
    const file = isCommit(to) ? await fileAt(client, project, own.path, to) : undefined
    const isSame = file !== undefined && own.blob === (file?.blob ?? null) && own.text === (file?.text ?? null)
    if (isSame && includesOf(own, read).length === 0) {
      // The file of this commit is known now: it is not read again before a merge.
      const known = { ...own, commit: to }
      await journal.ruleFiles.save(project, [known])
      return rulesInForce(context, known, [], { ...stored, fresh: false })
    }
  }
  const answer = (await client.projects.get({ id: project }, { bypassCache: true })).body
  const isOther = own !== undefined && own.ref !== (answer.default_branch ?? '')
  return answer.default_branch === branch || isOther ? refresh(context, project, answer) : undefined
}

async function refresh(
  context: RuleContext,
  project: number,
  answer?: ProjectAnswer,
  given?: StoredRuleFiles,
): Promise<RulesInForce> {
  const { journal, counting, log } = context
  const stored = await storedRules(context, project, given)
  const { own: before } = stored
  const own = await readOwnFile(context, project, before, answer)
  const included = await readIncludes(context, own, stored.record)
  await reportBroken(context, [own, ...included], stored.record)
  const records = [own, ...included]
  const isStored = stored.size === records.length && records.every((each) => isSame(each, stored.record(each.path)))
  // What is stored and still counts need not be stored again.
  if (!isStored || isOld(context, before ?? own)) await journal.ruleFiles.save(project, records)
  for (const record of records) counting?.ruleFile(record)
  const rules = rulesInForce(context, own, included, { ...stored, fresh: true })
  const changed = (before?.blob ?? null) !== own.blob || before?.ref !== own.ref
  if (!changed) return rules
  const { problems } = rules
  const name = refName({ project, path: own.projectPath })
  if (problems.length > 0)
    log.warn({ event: 'rule_file_broken', project: name, problems }, `a rule file is broken: ${problems[0]}`)
  warnOfUnknownChats(log, rules, name)
  return rules
}

function warnOfUnknownChats(log: Logger, { files, policy }: RulesInForce, project: string): void {
  const chats = unknownChats(files, policy.chats)
  if (chats.length === 0) return
  const message = `rules post to chats that the operator does not name for ${project}: ${chats.join(', ')}`
  log.warn({ event: 'chat_unknown', project, chats }, message)
}

/** Notifies once of each version of a file. */
async function reportBroken(
  context: RuleContext,
  records: readonly RuleFileRecord[],
  stored: StoredRules['record'],
): Promise<void> {
  for (const record of records) {
    const { project, projectPath = '', path, blob, problems } = record
    const before = stored(path)
    if (problems.length === 0 || (before?.blob === blob && before.problems.join() === problems.join())) continue
    const about = { project, projectPath, path, blob, problems }
    await notify(context, { kind: 'rule_file_broken', about }, JSON.stringify([project, path, blob ?? problems]))
  }
}

async function asIf(context: RuleContext, project: number, file: FileText | null): Promise<RulesInForce> {
  const stored = await storedRules(context, project)
  const base = stored.own?.projectPath === undefined ? await readOwnFile(context, project, undefined) : stored.own
  const own = recordWithText({ ...base, readAt: new Date(context.now()).toISOString() }, file, null, context.read)
  const included = await readIncludes(context, own, stored.record)
  return rulesInForce(context, own, included, { ...stored, fresh: true })
}

const isSame = (read: RuleFileRecord, stored: RuleFileRecord | undefined) =>
  isDeepStrictEqual({ ...read, readAt: '' }, { ...stored, readAt: '' })

/** Renamed or transferred since it was read; older reports are ignored. */
const hasMoved = (own: RuleFileRecord, reported: ReportedPath) => reported.at > own.readAt && isElsewhere(own, reported)

/** Whether another path is reported than the one that was read. */
const isElsewhere = ({ projectPath = '' }: { projectPath?: string }, reported: ReportedPath | undefined) =>
  reported !== undefined && reported.path.toLowerCase() !== projectPath.toLowerCase()
