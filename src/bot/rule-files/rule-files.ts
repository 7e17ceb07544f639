// The rules in force for a project: the operator's files, the repository's own from its default branch, and what that includes (DESIGN §4 Layers and trust).
import { createHash } from 'node:crypto'
import type { LimitFunction } from 'p-limit'
import type { Logger } from 'pino'
import type { Journal, RuleFileRecord } from '../../journal/types.ts'
import { formatProblem } from '../../rules/language/documents/rule-document.ts'
import { nameOf } from '../../rules/language/include.ts'
import { fitsProject } from '../../rules/language/patterns/project-patterns.ts'
import { policyFor, type ResolvedPolicy } from '../../rules/language/policy.ts'
import type { Include, RuleFileInForce } from '../../rules/types.ts'
import type { FlowCounters } from '../reporting/counters.ts'
import type { OperatorPolicy } from './policy-file.ts'
import { type FileText, fileAt, headOf, type ReadingClient } from './read-rule-file.ts'
import { createRuleCache, type RuleCache } from './rule-cache.ts'
import { includedPaths, noteIncludes } from './rule-includers.ts'
import { readInclude } from './rule-includes.ts'
import { type KnownRules, type ReportedPath, singleFlightReads } from './single-flight.ts'

export const repositoryRulePath = '.bellhop.yml'

// A lost push hook shows after this time at the latest; before an accept the file is read anew anyway.
const trustedForMs = 5 * 60_000

/** The rules that apply to one project's merge requests. */
export interface RulesInForce {
  files: RuleFileInForce[]
  policy: ResolvedPolicy
  /** Names branch and content of the repository's file and of what it includes; it is empty where there is no file. */
  version: string
  /** What is wrong with the repository's file and with what it includes. */
  problems: string[]
  /** It was read just now, not remembered. */
  fresh: boolean
  /** The project's full path. */
  projectPath: string
}

/** What was read last, and from where. */
export interface RuleFileState extends RulesInForce {
  /** Of the repository's file. */
  branch: string
  /** ISO 8601. */
  readAt: string
}

export interface RuleFiles {
  /**
   * The rules in force. Rules read within `trustedForMs` (five minutes) are reused, unless `reported` shows a newer
   * path. With `inTurn`, callers of one project share one reading and continue in the order of their calls. Throws
   * what the client throws: an unreadable file is never "no rules".
   */
  inForce(
    project: number,
    trustedForMs?: number,
    reported?: ReportedPath,
    inTurn?: LimitFunction,
  ): Promise<RulesInForce>
  /** As it was read last, however long ago; undefined where it never was. Costs no call. */
  known(project: number): Promise<RuleFileState | undefined>
  /** Reads the repository's file and what it includes anew. */
  refresh(project: number): Promise<RulesInForce>
  /** What would be in force if the repository's file were this one (null: none); nothing of it is kept. */
  asIf(project: number, file: FileText | null): Promise<RulesInForce>
  /** What the project's file includes, as it was read last. Costs no call. */
  includes(project: number): Promise<Include[]>
  /** Changes when the operator's own files or policy do. */
  operatorVersion: string
}

export interface RuleFilesOptions {
  service: string
  client: ReadingClient
  journal: Pick<Journal, 'ruleFile' | 'saveRuleFile' | 'projectMark' | 'changeMark'>
  /** One for all services of the process; a new one when absent. */
  ruleCache?: RuleCache | undefined
  operatorFiles: readonly RuleFileInForce[]
  policy: OperatorPolicy
  counting?: FlowCounters | undefined
  /** Called for each broken version of a file, before it is stored. */
  onBroken?: (file: RuleFileRecord) => Promise<void>
  now: () => number
  log: Logger
}

/** The repository's file, and one record for each include of its version in force. */
interface Records {
  own: RuleFileRecord
  included: RuleFileRecord[]
}

/** Rule files of one service's projects, kept in the journal by blob. */
export function createRuleFiles(options: RuleFilesOptions): RuleFiles {
  const { service, client, journal, operatorFiles, policy, counting, now, log } = options
  const read = options.ruleCache ?? createRuleCache()
  const readTogether = singleFlightReads<RulesInForce>(now)
  const recordOf = (project: number, path: string) => journal.ruleFile({ service, project, path })
  /** The paths of a project's files that are rules elsewhere. */
  const protectedIn = (project: number) => includedPaths(journal, service, project)

  async function inForce(
    project: number,
    trusted = trustedForMs,
    reported?: ReportedPath,
    inTurn?: LimitFunction,
  ): Promise<RulesInForce> {
    const found = await trustedRules(project, trusted)
    const known =
      found !== undefined && (reported === undefined || found.holdsFor(reported)) ? await found.rules() : undefined
    if (inTurn === undefined) return known ?? refresh(project)
    return readTogether(project, {
      known,
      reported,
      look: () => trustedRules(project, trusted),
      read: () => refresh(project),
      inTurn,
    })
  }

  /** Undefined where they have to be read again in any case. */
  async function trustedRules(project: number, trusted: number): Promise<KnownRules<RulesInForce> | undefined> {
    const [own, protects] = await Promise.all([recordOf(project, repositoryRulePath), protectedIn(project)])
    if (own?.projectPath === undefined || now() - Date.parse(own.readAt) >= trusted) return undefined
    const { included, complete } = await knownIncludes(own)
    if (!complete) return undefined
    return {
      rules: () => assemble({ own, included }, { fresh: false, protects }),
      holdsFor: (reported) => !hasMoved(own, reported),
    }
  }

  async function known(project: number): Promise<RuleFileState | undefined> {
    const own = await recordOf(project, repositoryRulePath)
    if (own?.projectPath === undefined) return undefined
    const { included } = await knownIncludes(own)
    const { ref: branch, readAt } = own
    const rules = await assemble({ own, included }, { fresh: false, protects: await protectedIn(project) })
    return { ...rules, branch, readAt }
  }

  async function knownIncludes(own: RuleFileRecord): Promise<{ included: RuleFileRecord[]; complete: boolean }> {
    const records = await Promise.all(includesOf(own, read).map((each) => recordOf(own.project, nameOf(each))))
    const included = records.filter((each) => each !== undefined)
    return { included, complete: included.length === records.length }
  }

  async function refresh(project: number): Promise<RulesInForce> {
    const before = await recordOf(project, repositoryRulePath)
    const includedBefore = before === undefined ? [] : includesOf(before, read)
    const own = await readOwn(project, before)
    const included = await readIncluded(own)
    await tellOfBroken([own, ...included])
    for (const record of included) await journal.saveRuleFile(record)
    // Last: a process that finds this record also finds its includes.
    await journal.saveRuleFile(own)
    for (const record of [own, ...included]) counting?.ruleFile(record)
    const others = await Promise.all(includedBefore.map((each) => recordOf(project, nameOf(each))))
    const origins = (records: readonly (RuleFileRecord | undefined)[]) =>
      // Only what is a rule file: nobody protects another project's files by naming them.
      records.flatMap((each) => (each?.origin === undefined || each.good === null ? [] : [each.origin]))
    await noteIncludes(journal, service, project, origins(included), origins(others))
    const rules = await assemble({ own, included }, { fresh: true, protects: await protectedIn(project) })
    const changed = (before?.blob ?? null) !== own.blob || before?.ref !== own.ref
    if (changed && rules.problems.length > 0)
      log.warn(
        { event: 'rule_file_broken', project, problems: rules.problems },
        `a rule file is broken: ${rules.problems[0]}`,
      )
    return rules
  }

  async function tellOfBroken(records: readonly RuleFileRecord[]): Promise<void> {
    for (const record of records) {
      if (record.problems.length === 0) continue
      const before = await recordOf(record.project, record.path)
      const isKnown =
        before !== undefined && before.blob === record.blob && before.problems.join() === record.problems.join()
      if (!isKnown) await options.onBroken?.(record)
    }
  }

  async function asIf(project: number, file: FileText | null): Promise<RulesInForce> {
    const kept = await recordOf(project, repositoryRulePath)
    const known = kept?.projectPath === undefined ? await readOwn(project, undefined) : kept
    const own = withText({ ...known, readAt: new Date(now()).toISOString() }, file, undefined, read)
    const included = await readIncluded(own)
    return assemble({ own, included }, { fresh: true, protects: await protectedIn(project) })
  }

  async function readOwn(project: number, before: RuleFileRecord | undefined): Promise<RuleFileRecord> {
    const found = (await client.projects.get({ id: project }, { anew: true })).body
    const branch = found.default_branch ?? ''
    const base = {
      service,
      project,
      path: repositoryRulePath,
      ref: branch,
      readAt: new Date(now()).toISOString(),
      projectPath: found.path_with_namespace ?? '',
    }
    // An empty repository has no default branch, and so no rules.
    const head = branch === '' ? null : await headOf(client, project, branch)
    const at = { ...base, ...(head === null ? {} : { commit: head }) }
    // The project itself was readable, so 404 means that the file is not there: a deleted file is no rules.
    return withText(at, head === null ? null : await fileAt(client, project, repositoryRulePath, head), before, read)
  }

  async function readIncluded(own: RuleFileRecord): Promise<RuleFileRecord[]> {
    const { service: of, project, readAt } = own
    const { includeFrom: from } = policyOf(own)
    const records: RuleFileRecord[] = []
    for (const include of includesOf(own, read)) {
      const before = await recordOf(project, nameOf(include))
      records.push(await readInclude(include, { client, read, from, base: { service: of, project, readAt }, before }))
    }
    return records
  }

  function policyOf({ project, projectPath }: RuleFileRecord): ResolvedPolicy {
    const byPath = [...operatorFiles.map(({ rules }) => rules), ...policy.entries].some(
      (each) => each.projects !== undefined,
    )
    // Whom the operator's files and policy are for is never guessed.
    if (byPath && !projectPath) throw new Error(`the hosting service does not say the path of project ${project}`)
    return policyFor(projectPath ?? '', policy.entries, policy.defaults)
  }

  async function assemble(
    { own, included }: Records,
    { fresh, protects }: { fresh: boolean; protects: string[] },
  ): Promise<RulesInForce> {
    const resolved = policyOf(own)
    const path = own.projectPath ?? ''
    const operators = operatorFiles.filter(
      ({ rules: { projects } }) => projects === undefined || fitsProject(projects, path),
    )
    const names = included.map(({ path: name, ref, blob }) => `${name} ${ref} ${blob}`)
    const ofRepository = [own, ...included].flatMap((record) => inForceOf(record, read))
    return {
      files: [...operators, ...ofRepository],
      policy: protects.length === 0 ? resolved : { ...resolved, protects },
      version: own.blob === null ? '' : [`${own.ref} ${own.blob}`, ...names].join(' '),
      problems: [own, ...included].flatMap(({ problems }) => problems),
      fresh,
      projectPath: path,
    }
  }

  async function includes(project: number): Promise<Include[]> {
    const own = await recordOf(project, repositoryRulePath)
    return own === undefined ? [] : includesOf(own, read)
  }

  return { inForce, known, refresh, asIf, includes, operatorVersion: versionOf(operatorFiles, policy) }
}

/** Renamed or transferred since it was read; older reports are ignored. */
function hasMoved({ projectPath = '', readAt }: RuleFileRecord, reported: ReportedPath): boolean {
  return reported.at > readAt && reported.path.toLowerCase() !== projectPath.toLowerCase()
}

/** The record of a repository's file with this content. */
function withText(
  base: Omit<RuleFileRecord, 'blob' | 'text' | 'problems' | 'good'>,
  file: FileText | null,
  before: RuleFileRecord | undefined,
  read: RuleCache,
): RuleFileRecord {
  if (file === null) return { ...base, blob: null, text: null, problems: [], good: null }
  const document = read(file, { path: repositoryRulePath })
  if (document.ok) return { ...base, ...file, problems: [], good: file }
  return { ...base, ...file, problems: document.problems.map(formatProblem), good: before?.good ?? null }
}

/** What the version in force includes. */
function includesOf({ good, path }: RuleFileRecord, read: RuleCache): Include[] {
  const document = good === null ? undefined : read(good, { path })
  return document?.ok === true ? (document.rules.include ?? []) : []
}

/** The file of a record as decide takes it: the last good version; while the newest is broken, it says so. */
function inForceOf(record: RuleFileRecord, read: RuleCache): RuleFileInForce[] {
  const { path, blob, commit, problems, good, origin } = record
  if (blob === null && problems.length === 0) return []
  const included = origin !== undefined || path !== repositoryRulePath
  const base = { path, trust: 'repository' as const, ...(origin === undefined ? {} : { origin }) }
  const document = good === null ? undefined : read(good, { path, included })
  if (good !== null && document?.ok === true) {
    const broken = problems.length > 0
    return [
      {
        ...base,
        rules: document.rules,
        blob: good.blob,
        ...(broken || commit === undefined ? {} : { commit }),
        broken,
      },
    ]
  }
  // Broken from the start, or a last good version that this Bellhop cannot read: nothing is in force, and what merges is held back for the other files' rules as well.
  return [{ ...base, rules: { file: path, rules: [] }, blob, broken: true }]
}

function versionOf(files: readonly RuleFileInForce[], policy: OperatorPolicy): string {
  if (files.length === 0 && policy.entries.length === 0 && policy.defaults.mode === 'act') return ''
  const said = JSON.stringify([files.map(({ path, blob }) => [path, blob]), policy.entries, policy.defaults])
  return createHash('sha256').update(said).digest('hex').slice(0, 16)
}
