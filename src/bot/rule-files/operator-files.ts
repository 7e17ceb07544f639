// The operator's rules folder: every *.yml is a rule file, and `policy.yml` the policy. A broken one stops the start.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RuleFileInForce } from '../../rules/engine/decide.ts'
import { readPolicy } from '../../rules/language/documents/policy-document.ts'
import { formatProblem, readRules } from '../../rules/language/documents/rule-document.ts'
import type { PolicyDefaults, PolicyEntry } from '../../rules/language/policy.ts'

/** An operator's rule file cannot be used; the message has a line per problem: file, line and column. */
export class OperatorFilesError extends Error {
  override readonly name = 'OperatorFilesError'
}

/** All *.yml and *.yaml files but tests and the policy. No folder: no rules. Throws OperatorFilesError. */
export async function readOperatorFiles(folder: string): Promise<RuleFileInForce[]> {
  const names = (await fileNames(folder)).filter((name) => !/(^policy|\.test)\.ya?ml$/.test(name))
  const problems: string[] = []
  const files: RuleFileInForce[] = []
  for (const name of names) {
    const path = join(folder, name)
    const text = await textOf(path)
    const document = readRules(text, path, { trust: 'operator' })
    if (document.ok) files.push({ rules: document.rules, path, blob: gitBlob(text), trust: 'operator', broken: false })
    else problems.push(...document.problems.map(formatProblem))
  }
  if (problems.length > 0) throw new OperatorFilesError(problems.join('\n'))
  return files
}

async function fileNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw new OperatorFilesError(`The rules folder ${folder} cannot be read.`, { cause: error })
  }
}

/** The blob id that git would give the content, as decisions name repositories' files by theirs. */
export function gitBlob(text: string): string {
  const bytes = Buffer.from(text)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** For all projects. */
export interface OperatorPolicy {
  entries: readonly PolicyEntry[]
  defaults: PolicyDefaults
}

/** The policy's entries; none if there is no such file. Throws OperatorFilesError. */
export async function readPolicyFile(folder: string): Promise<PolicyEntry[]> {
  const names = (await fileNames(folder)).filter((name) => /^policy\.ya?ml$/.test(name))
  const [name] = names
  if (name === undefined) return []
  if (names.length > 1) throw new OperatorFilesError(`${folder} has both ${names.join(' and ')}: keep one of them.`)
  const path = join(folder, name)
  const read = readPolicy(await textOf(path), path)
  if (read.ok) return read.entries
  throw new OperatorFilesError(read.problems.map(formatProblem).join('\n'))
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new OperatorFilesError(`The file ${path} cannot be read.`, { cause })
  })
}
