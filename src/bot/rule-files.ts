// The rules in force for a project: the operator's files, and the repository's own from its default branch (DESIGN §4 Layers and trust).
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import type { Journal, RuleFileRecord } from '../journal/types.ts'
import type { RuleFileInForce } from '../rules/decide.ts'
import { formatProblem, readRules } from '../rules/document.ts'
import { isNotFound } from './outcome.ts'

export const repositoryRulePath = '.bellhop.yml'

// A lost push hook shows after this time at the latest; before an accept the file is read anew anyway.
const trustedForMs = 5 * 60_000

export interface RuleFiles {
  /** The files in force, from memory where it is fresh. Throws what the client throws: an unreadable file is never "no rules". */
  inForce(project: number): Promise<RuleFileInForce[]>
  /** Reads the repository's file anew. `version` names branch and content; it is empty where there is no file. */
  refresh(project: number): Promise<{ version: string; files: RuleFileInForce[] }>
}

export interface RuleFilesOptions {
  service: string
  client: Pick<Client, 'projects' | 'repository'>
  journal: Pick<Journal, 'ruleFile' | 'saveRuleFile'>
  operatorFiles: readonly RuleFileInForce[]
  now: () => number
  log: Logger
}

/** Rule files of one service's projects, kept in the journal by blob. */
export function createRuleFiles({ service, client, journal, operatorFiles, now, log }: RuleFilesOptions): RuleFiles {
  async function inForce(project: number): Promise<RuleFileInForce[]> {
    const known = await journal.ruleFile({ service, project, path: repositoryRulePath })
    if (known !== undefined && now() - Date.parse(known.readAt) < trustedForMs) return [...operatorFiles, ...ofRecord(known)]
    return (await refresh(project)).files
  }

  async function refresh(project: number): Promise<{ version: string; files: RuleFileInForce[] }> {
    const before = await journal.ruleFile({ service, project, path: repositoryRulePath })
    const record = await read(project, before)
    await journal.saveRuleFile(record)
    const changed = (before?.blob ?? null) !== record.blob || before?.ref !== record.ref
    if (changed && record.problems.length > 0) {
      log.warn({ event: 'rule file broken', project, problems: record.problems }, `${repositoryRulePath} is broken: ${record.problems[0]}`)
    }
    return { version: record.blob === null ? '' : `${record.ref} ${record.blob}`, files: [...operatorFiles, ...ofRecord(record)] }
  }

  async function read(project: number, before: RuleFileRecord | undefined): Promise<RuleFileRecord> {
    const branch = (await client.projects.get({ id: project })).body.default_branch
    const readAt = new Date(now()).toISOString()
    const base = { service, project, path: repositoryRulePath, ref: branch ?? '', readAt }
    // An empty repository has no default branch, and so no rules.
    if (branch === undefined || branch === '') return { ...base, blob: null, text: null, problems: [], good: null }
    const head = await headOf(project, branch)
    const file = head === null ? null : await fileOrNull(project, head)
    // The project itself was readable, so 404 means that the file is not there: a deleted file is no rules.
    if (file === null) return { ...base, blob: null, text: null, problems: [], good: null }
    const document = readRules(file.text, repositoryRulePath, { trust: 'repository' })
    if (document.ok) return { ...base, ...file, problems: [], good: file }
    return { ...base, ...file, problems: document.problems.map(formatProblem), good: before?.good ?? null }
  }

  /** The commit, because a tag of the branch's name would be read in its place: git looks among the tags first. */
  async function headOf(project: number, branch: string): Promise<string | null> {
    try {
      const head = (await client.repository.branches.get({ id: project, branch })).body.commit?.id
      if (head === undefined) throw new Error(`the branch ${branch} of project ${project} came without its commit`)
      return head
    } catch (error) {
      if (isNotFound(error)) return null
      throw error
    }
  }

  async function fileOrNull(project: number, ref: string): Promise<{ blob: string; text: string } | null> {
    try {
      const { body } = await client.repository.files.get({ id: project, file_path: repositoryRulePath, ref })
      if (body.content === undefined || body.blob_id === undefined)
        throw new Error(`${repositoryRulePath} of project ${project} came without content or blob id`)
      return { blob: body.blob_id, text: Buffer.from(body.content, 'base64').toString('utf8') }
    } catch (error) {
      if (isNotFound(error)) return null
      throw error
    }
  }

  return { inForce, refresh }
}

/** The file of a record as decide takes it: the last good version; while the newest is broken, it says so. */
function ofRecord(record: RuleFileRecord): RuleFileInForce[] {
  if (record.blob === null) return []
  const broken = record.problems.length > 0
  if (record.good === null) {
    // Broken from the start: nothing is in force, and what merges is held back for the other files' rules as well.
    const none = readRules('', record.path, { trust: 'repository' })
    return none.ok ? [{ rules: none.rules, path: record.path, blob: record.blob, trust: 'repository', broken }] : []
  }
  const good = readRules(record.good.text, record.path, { trust: 'repository' })
  if (!good.ok) return []
  return [{ rules: good.rules, path: record.path, blob: record.good.blob, trust: 'repository', broken }]
}
