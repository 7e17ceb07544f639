// The rules for a project: given files, or the operator's and the repository's as the bot reads them.
import { basename } from 'node:path'
import { OperatorFilesError, readOperatorFiles, readPolicyFile } from '../../bot/rule-files/operator-files.ts'
import { readIncludes, readOwnFile } from '../../bot/rule-files/read-project-rules.ts'
import { createRuleCache } from '../../bot/rule-files/read-rule-file.ts'
import { rulesInForce as joinedRules, repositoryRulePath } from '../../bot/rule-files/rules-in-force.ts'
import type { Client } from '../../client/create-client.ts'
import { formatProblem, readRules } from '../../rules/language/documents/rule-document.ts'
import type { PolicyEntry } from '../../rules/language/policy.ts'
import type { Mode, ProjectPolicy, RuleFileInForce, Trust } from '../../rules/types.ts'
import { type ChatSettings, chatsHere } from '../chats/chats-file.ts'
import { readText } from '../read-text.ts'
import { UserError } from '../user-error.ts'
import type { FindLastGood, LastGood } from './last-good.ts'

export interface RulesFor {
  files: RuleFileInForce[]
  /** The problems of the repository's file and its includes. */
  problems: string[]
  policy?: ProjectPolicy
  /** Broken files of which no version without problems was found. */
  notFound?: string[]
}

/** `.bellhop.yml` is a repository's file; any other is the operator's. */
export function trustOf(path: string): Trust {
  return basename(path) === repositoryRulePath ? 'repository' : 'operator'
}

/** The path in the repository that a local file stands for. */
export function pathInForce(path: string): string {
  return trustOf(path) === 'repository' ? repositoryRulePath : path
}

/** Throws UserError with the files' problems. */
export async function rulesFromFiles(paths: readonly string[]): Promise<RuleFileInForce[]> {
  const problems: string[] = []
  const files: RuleFileInForce[] = []
  for (const path of paths) {
    const trust = trustOf(path)
    const read = readRules(await readText(path), path, { trust })
    if (read.ok) files.push({ rules: read.rules, path: pathInForce(path), blob: null, trust, broken: false })
    else problems.push(...read.problems.map(formatProblem))
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'))
  return files
}

/** If `lastGood` is given, the last good version of a broken file stays in force, as for the bot. */
export async function rulesInForce(
  client: Client,
  { project, ...where }: WhereRules & { project: number },
  lastGood?: FindLastGood,
): Promise<RulesFor> {
  const operator = await operatorRules(where.folder)
  const read = readRulesOf(client, { ...where, ...operator })
  const newest = await read(project)
  if (newest.problems.length === 0 || lastGood === undefined) return newest
  const good = await lastGood(client, project)
  const rules = await read(project, good)
  return { ...rules, notFound: rules.files.flatMap(({ path, broken }) => (broken && !good.has(path) ? [path] : [])) }
}

interface WhereRules {
  folder: string
  mode: Mode
}

/** Throws UserError with the files' problems. */
export async function operatorRules(
  folder: string,
): Promise<{ operatorFiles: RuleFileInForce[]; entries: PolicyEntry[]; chats: ChatSettings[] | undefined }> {
  const [operatorFiles, entries] = await Promise.all([readOperatorFiles(folder), readPolicyFile(folder)]).catch(
    (cause: unknown) => {
      if (!(cause instanceof OperatorFilesError)) throw cause
      throw new UserError(cause.message, { cause })
    },
  )
  return { operatorFiles, entries, chats: await chatsHere(process.env) }
}

export function readRulesOf(
  client: Client,
  { mode, operatorFiles, entries, chats }: Omit<WhereRules, 'folder'> & Awaited<ReturnType<typeof operatorRules>>,
): (project: number, lastGood?: LastGood) => Promise<RulesFor> {
  const policy = { entries, defaults: { mode, newRuleLimit: 0, chats } }
  return async (project, lastGood = new Map()) => {
    const read = createRuleCache()
    const reader = { client, read, now: Date.now, operatorFiles, policy }
    const before = (path: string) => {
      const good = lastGood.get(path)
      return good && { project, path, ref: '', blob: null, text: null, problems: [], good, readAt: '' }
    }
    const own = await readOwnFile(reader, project, before(repositoryRulePath))
    const included = await readIncludes(reader, own, before)
    return joinedRules(reader, { own, included }, { fresh: true, protects: [] })
  }
}
