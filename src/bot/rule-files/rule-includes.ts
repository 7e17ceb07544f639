// Included rule files: read from projects that the operator lists, and from nowhere else.
import { ServiceError } from '../../client/errors.ts'
import type { RuleFileRecord } from '../../journal/types.ts'
import { nameOf } from '../../rules/language/include.ts'
import { fitsProject } from '../../rules/language/patterns/project-patterns.ts'
import type { Include } from '../../rules/types.ts'
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { commitOfTag, fileAt, headOf, isCommit, type ReadingClient } from './read-rule-file.ts'
import type { RuleCache } from './rule-cache.ts'

export interface IncludeOptions {
  client: ReadingClient
  read: RuleCache
  /** Globs of the projects that the operator lists for the including project. */
  from: readonly string[]
  /** Everything of the record that is about the including project. */
  base: Pick<RuleFileRecord, 'project' | 'readAt'>
  /** As it was read last. */
  before: RuleFileRecord | undefined
}

/** The included file as it is now. The record's problems quote nothing of it. */
export async function readInclude(include: Include, options: IncludeOptions): Promise<RuleFileRecord> {
  const { client, read, from, base, before } = options
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
  if (!fitsProject(from, include.project)) return { ...withoutOrigin(failed(notListed(include))), good: null }
  try {
    const found = (await client.projects.get({ id: include.project })).body
    // A path that leads to a project of another name is not the listed project.
    if (found.id === undefined || found.path_with_namespace?.toLowerCase() !== include.project.toLowerCase())
      return { ...withoutOrigin(failed('the project is not there under this path')), good: null }
    const commit = await commitOf(client, found.id, found.default_branch, include.ref)
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

function notListed({ project }: Include): string {
  return `the operator does not list ${project} among the projects that may be included from`
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
