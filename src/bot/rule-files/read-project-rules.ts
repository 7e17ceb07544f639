// Reads a project's rule file from its default branch, and what it includes.
import { ServiceError } from '../../client/errors.ts'
import type { RuleFileRecord } from '../../journal/types.ts'
import { nameOf } from '../../rules/language/documents/document-head.ts'
import { fitsProject } from '../../rules/language/patterns/patterns.ts'
import type { Include } from '../../rules/types.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import {
  commitOfTag,
  type FileText,
  fileAt,
  headOf,
  isCommit,
  type ReadingClient,
  type RuleCache,
} from './read-rule-file.ts'
import {
  includesOf,
  type OperatorRules,
  type ProjectAnswer,
  policyOf,
  recordWithText,
  repositoryRulePath,
} from './rules-in-force.ts'

export interface RuleReader extends OperatorRules {
  client: ReadingClient
  read: RuleCache
  now: () => number
}

/** The file as it was read at this commit; null: there was none. */
function textOf(record: RuleFileRecord | undefined, commit: string | null): FileText | null {
  if (commit === null || record?.text == null || record.blob === null) return null
  return { blob: record.blob, text: record.text }
}

/** The repository's file. `before`: as read last; `answer`: the project if just read. Throws what the client throws. */
export async function readOwnFile(
  { client, read, now }: RuleReader,
  project: number,
  before: RuleFileRecord | undefined,
  answer?: ProjectAnswer,
): Promise<RuleFileRecord> {
  // Before the calls: what a delivery reports later may not be in their answers.
  const readAt = new Date(now()).toISOString()
  const found: ProjectAnswer = answer ?? (await client.projects.get({ id: project }, { bypassCache: true })).body
  const branch = found.default_branch ?? ''
  // An empty repository has no default branch, and so no rules.
  const head = branch === '' ? null : await headOf(client, project, branch)
  const base = {
    project,
    path: repositoryRulePath,
    ref: branch,
    readAt,
    projectPath: found.path_with_namespace ?? '',
    projectUrl: found.web_url ?? '',
    ...(head === null ? {} : { commit: head }),
  }
  // The project was readable, so 404 means that the file was deleted: no rules.
  // A commit never changes.
  const isKnown = head === null || head === before?.commit
  const file = isKnown ? textOf(before, head) : await fileAt(client, project, repositoryRulePath, head)
  return recordWithText(base, file, before?.good ?? null, read)
}

/** A record for each included file. `before`: the record of a path as read last. Throws what the client throws. */
export async function readIncludes(
  reader: RuleReader,
  own: RuleFileRecord,
  before: (path: string) => RuleFileRecord | undefined,
): Promise<RuleFileRecord[]> {
  const { project, readAt } = own
  const { includeFrom: from } = policyOf(reader, own)
  const records: RuleFileRecord[] = []
  for (const include of includesOf(own, reader.read)) {
    records.push(await readInclude(reader, include, from, { project, readAt }, before(nameOf(include))))
  }
  return records
}

/**
 * The included file as it is now, read from a project that the operator lists, and from nowhere else. The record's
 * problems quote nothing of it. `from`: globs of those projects; `before`: the record as it was read last.
 */
async function readInclude(
  { client, read }: RuleReader,
  include: Include,
  from: readonly string[],
  base: Pick<RuleFileRecord, 'project' | 'readAt'>,
  before: RuleFileRecord | undefined,
): Promise<RuleFileRecord> {
  const path = nameOf(include)
  const failed = (problem: string, ref = ''): RuleFileRecord => ({
    ...base,
    path,
    ref,
    blob: null,
    text: null,
    problems: [`${path}: ${problem}`],
    good: before?.good ?? null,
    origin: before?.origin,
  })
  // Before any API call: rule authors must not learn what only Bellhop may read.
  const notListed = `the operator does not list ${include.project} among the projects that may be included from`
  if (!fitsProject(from, include.project)) return { ...withoutOrigin(failed(notListed)), good: null }
  try {
    const found = (await client.projects.get({ id: include.project })).body
    // A path that leads to a project of another name is not the listed project.
    if (found.id === undefined || found.path_with_namespace?.toLowerCase() !== include.project.toLowerCase())
      return { ...withoutOrigin(failed('the project is not there under this path')), good: null }
    const commit = await commitOf(client, found.id, found.default_branch ?? undefined, include.ref)
    if (commit === null)
      return failed(include.ref === undefined ? 'the project has no default branch' : 'there is no such commit or tag')
    const origin = { project: found.id, path: include.file }
    if (before?.ref === commit && before.blob !== null && before.problems.length === 0)
      return { ...before, ...base, origin }
    const file = await fileAt(client, found.id, include.file, commit)
    if (file === null) return { ...failed('the file is not there', commit), origin }
    const document = read(file, { path, included: true })
    if (document.ok) return { ...base, path, ref: commit, ...file, problems: [], good: file, origin }
    // Readers of the including file may not be allowed to read this one: show no name, value or key of it.
    const problems = document.problems.map(
      ({ line, column }) => `${path}:${line}:${column}: a problem that bellhop check tells`,
    )
    return { ...base, path, ref: commit, ...file, problems, good: before?.good ?? null, origin }
  } catch (error) {
    // Only the project is read by its path: 301 means that it was renamed.
    if (error instanceof ServiceError && error.status === 301) return failed('the project is not there under this path')
    if (!isPermanentRefusal(error)) throw error
    return failed('Bellhop may not read it')
  }
}

function withoutOrigin({ origin: _origin, ...record }: RuleFileRecord): RuleFileRecord {
  return record
}

/** The commit of a whole commit id, of a tag, or of the head of the default branch; null if there is none. */
function commitOf(
  client: ReadingClient,
  project: number,
  branch: string | undefined,
  ref: string | undefined,
): Promise<string | null> {
  if (ref === undefined)
    return branch === undefined || branch === '' ? Promise.resolve(null) : headOf(client, project, branch)
  return isCommit(ref) ? Promise.resolve(ref) : commitOfTag(client, project, ref)
}
