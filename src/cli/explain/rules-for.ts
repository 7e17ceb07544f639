// The rules for a project: given files, or the operator's and the repository's as the bot reads them, in their last
// good versions while the newest are broken.
import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import type { RulesResponse } from '../../admin/api/routes/rules.ts'
import { OperatorFilesError, readOperatorFiles, readPolicyFile } from '../../bot/rule-files/operator-files.ts'
import { readIncludes, readOwnFile } from '../../bot/rule-files/read-project-rules.ts'
import { createRuleCache, type FileText, fileAt } from '../../bot/rule-files/read-rule-file.ts'
import { repositoryRulePath, rulesInForce } from '../../bot/rule-files/rules-in-force.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { nameOf } from '../../rules/language/documents/document-head.ts'
import { formatProblem, readRules } from '../../rules/language/documents/rule-document.ts'
import type { Include, Mode, ProjectPolicy, RuleFileInForce, Trust } from '../../rules/types.ts'
import { type RunningBotFlags, runningBot } from '../admin/admin-client.ts'
import { chatsHere } from '../chats/chats-file.ts'
import { readText } from '../read-text.ts'
import { connect, projectNamed } from '../service/connect.ts'
import type { ConnectionFlags } from '../service/service-options.ts'
import type { Setting } from '../settings/setting.ts'
import { settings } from '../settings/settings.ts'
import { UserError } from '../user-error.ts'

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

/** Throws UserError with the files' problems. */
export async function operatorRules(folder: string) {
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
  { mode, operatorFiles, entries, chats }: { mode: Mode } & Awaited<ReturnType<typeof operatorRules>>,
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
    return rulesInForce(reader, own, included, { fresh: true, protects: [] })
  }
}

export interface RuleFlags extends ConnectionFlags {
  rules?: string[]
  rulesFolder: string
  offLabel: string
  mode: Mode
}

const option = (flag: string, { doc, variable, default: standard }: Setting<unknown>) =>
  new Option(flag, doc).env(variable).default(standard)

export const rulesFolderOption = () => option('--rules-folder <dir>', settings.rulesFolder)
export const modeOption = () => option('--mode <mode>', settings.mode).choices(['act', 'observe', 'off'])

export function withRules(command: Command): Command {
  return command
    .option('--rules <file...>', 'use these rule files instead of the project’s and the operator’s')
    .addOption(rulesFolderOption())
    .addOption(option('--off-label <label>', settings.offLabel))
    .addOption(modeOption())
}

/**
 * Finds the project by id or path, and its rules; with `lastGood`, the last good version of a broken file stays in
 * force, as for the bot. Throws UserError for broken given files, before any call.
 */
export async function openProject(
  named: string,
  { rules, rulesFolder, mode, ...flags }: RuleFlags,
  lastGood?: FindLastGood,
): Promise<RulesFor & { client: Client; project: number; path?: string }> {
  const given = rules === undefined ? undefined : await rulesFromFiles(rules)
  const client = connect(flags)
  const found = { client, ...(await projectNamed(client, named)) }
  if (given !== undefined) return { ...found, files: given, problems: [] }
  const read = readRulesOf(client, { mode, ...(await operatorRules(rulesFolder)) })
  const newest = await read(found.project)
  if (newest.problems.length === 0 || lastGood === undefined) return { ...found, ...newest }
  const good = await lastGood(client, found.project)
  const inForce = await read(found.project, good)
  const notFound = inForce.files.flatMap(({ path, broken }) => (broken && !good.has(path) ? [path] : []))
  return { ...found, ...inForce, notFound }
}

/** The versions by the file's name in decisions. */
type LastGood = ReadonlyMap<string, FileText>
type FindLastGood = (client: Client, project: number) => Promise<LastGood>

const MOST_VERSIONS = 20

/** Reads them from the running bot, or from the history of `.bellhop.yml` and of what it includes. */
export function lastGoodOf(flags: RunningBotFlags): FindLastGood {
  const call = runningBot(flags)
  if (call === undefined) return lastGoodInHistory
  return async (_client, project) => {
    const { files } = await call<RulesResponse>('show_rules', { project })
    return new Map(
      files.flatMap(({ path, blob, text }) => (blob === null || text === undefined ? [] : [[path, { blob, text }]])),
    )
  }
}

async function lastGoodInHistory(client: Client, project: number): Promise<LastGood> {
  const own = await newestGood(client, project, repositoryRulePath, { included: false })
  if (own === undefined) return new Map()
  const found = new Map([[repositoryRulePath, own.file]])
  for (const include of own.includes) {
    const good = await includedInHistory(client, include)
    if (good !== undefined) found.set(nameOf(include), good)
  }
  return found
}

/** Undefined also for a pinned file: its history does not tell what the tag named before. */
async function includedInHistory(client: Client, { project, file, ref }: Include): Promise<FileText | undefined> {
  if (ref !== undefined) return undefined
  try {
    const { id } = (await client.projects.get({ id: project })).body
    return id === undefined ? undefined : (await newestGood(client, id, file, { included: true }))?.file
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

async function newestGood(
  client: Client,
  project: number,
  path: string,
  { included }: { included: boolean },
): Promise<{ file: FileText; includes: Include[] } | undefined> {
  const { body: commits } = await client.repository.commits.list({ id: project, path, per_page: MOST_VERSIONS })
  for (const { id } of commits) {
    const file = id === undefined ? null : await fileAt(client, project, path, id)
    const read = file === null ? undefined : readRules(file.text, path, { trust: 'repository', included })
    if (file !== null && read?.ok === true) return { file, includes: read.rules.include ?? [] }
  }
  return undefined
}
