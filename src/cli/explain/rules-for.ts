// The rules that a project is explained by: the files that are given, or the operator's folder and the repository's own as the bot reads them.
import { basename } from 'node:path'
import { OperatorFilesError, readOperatorFiles } from '../../bot/operator-files.ts'
import { readPolicyFile } from '../../bot/policy-file.ts'
import { createRuleFiles, repositoryRulePath } from '../../bot/rule-files.ts'
import type { Client } from '../../client/create-client.ts'
import { formatProblem, readRules } from '../../rules/document.ts'
import type { PolicyEntry } from '../../rules/policy.ts'
import type { Mode, ProjectPolicy, RuleFileInForce, Trust } from '../../rules/types.ts'
import { createLog } from '../log.ts'
import { readText } from '../read-text.ts'
import { UserError } from '../user-error.ts'

export interface RulesFor {
  files: RuleFileInForce[]
  /** What is wrong with the repository's own file, and with what it includes. */
  problems: string[]
  policy?: ProjectPolicy
}

/** A file named `.bellhop.yml` is a repository's and has its rights only; any other is the operator's. */
export function trustOf(path: string): Trust {
  return basename(path) === repositoryRulePath ? 'repository' : 'operator'
}

/** The path that a file of this machine stands for: a repository's file is where a merge request would change it. */
export function pathInForce(path: string): string {
  return trustOf(path) === 'repository' ? repositoryRulePath : path
}

/** Files of this machine in place of the project's. Throws UserError with their problems. */
export async function rulesFromFiles(paths: readonly string[]): Promise<RuleFileInForce[]> {
  const problems: string[] = []
  const files: RuleFileInForce[] = []
  for (const path of paths) {
    const trust = trustOf(path)
    const read = readRules(await readText(path), path, { trust })
    if (read.ok) files.push({ rules: read.rules, path: pathInForce(path), blob: null, trust, broken: false })
    else problems.push(...read.problems.map(formatProblem))
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'), { exitCode: 1 })
  return files
}

/** The rules in force for a project, read as the bot reads them; nothing is remembered. */
export async function rulesInForce(client: Client, { project, ...where }: WhereRules & { project: number }): Promise<RulesFor> {
  const operator = await operatorRules(where.folder)
  return readRulesOf(client, { ...where, ...operator })(project)
}

interface WhereRules {
  service: string
  folder: string
  mode: Mode
}

/** The operator's rule files and policy. Throws UserError with their problems. */
export async function operatorRules(folder: string): Promise<{ operatorFiles: RuleFileInForce[]; entries: PolicyEntry[] }> {
  const [operatorFiles, entries] = await Promise.all([readOperatorFiles(folder), readPolicyFile(folder)]).catch((cause: unknown) => {
    if (!(cause instanceof OperatorFilesError)) throw cause
    throw new UserError(cause.message, { exitCode: 1, cause })
  })
  return { operatorFiles, entries }
}

/** Reads the rules in force for one project after the other. */
export function readRulesOf(
  client: Client,
  { service, mode, operatorFiles, entries }: Omit<WhereRules, 'folder'> & Awaited<ReturnType<typeof operatorRules>>,
): (project: number) => Promise<RulesFor> {
  const ruleFiles = createRuleFiles({
    service,
    client,
    journal: {
      ruleFile: async () => undefined,
      saveRuleFile: async () => {},
      projectMark: async () => undefined,
      changeMark: async () => {},
    },
    operatorFiles,
    policy: { entries, defaults: { mode, brake: 0 } },
    now: () => Date.now(),
    log: createLog({ level: 'silent', secrets: [] }),
  })
  return async (project) => {
    const { files, problems, policy } = await ruleFiles.refresh(project)
    return { files, problems, policy }
  }
}
