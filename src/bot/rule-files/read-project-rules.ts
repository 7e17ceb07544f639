// Reads a project's rule file from its default branch, and what it includes.
import type { RuleFileRecord } from '../../journal/types.ts'
import { nameOf } from '../../rules/language/include.ts'
import { type FileText, fileAt, headOf, type ReadingClient } from './read-rule-file.ts'
import type { RuleCache } from './rule-cache.ts'
import { readInclude } from './rule-includes.ts'
import { includesOf, recordWithText, repositoryRulePath } from './rule-records.ts'
import { type OperatorRules, type ProjectAnswer, policyOf } from './rules-in-force.ts'

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

/** The repository's own file. `before`: as it was read last; `answer`: the project, if just read. Throws what the client throws. */
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

/** A record for each included file. `before`: the record of a path as it was read last. Throws what the client throws. */
export async function readIncludes(
  reader: RuleReader,
  own: RuleFileRecord,
  before: (path: string) => RuleFileRecord | undefined,
): Promise<RuleFileRecord[]> {
  const { client, read } = reader
  const { project, readAt } = own
  const { includeFrom: from } = policyOf(reader, own)
  const records: RuleFileRecord[] = []
  for (const include of includesOf(own, read)) {
    const known = before(nameOf(include))
    records.push(await readInclude(include, { client, read, from, base: { project, readAt }, before: known }))
  }
  return records
}
