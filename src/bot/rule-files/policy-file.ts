// The operator's policy, `policy.yml` of the rules folder. A broken one stops the start.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPolicy } from '../../rules/language/documents/policy-document.ts'
import { formatProblem } from '../../rules/language/documents/rule-document.ts'
import type { PolicyDefaults, PolicyEntry } from '../../rules/language/policy.ts'
import { OperatorFilesError } from './operator-files.ts'

/** For all projects. */
export interface OperatorPolicy {
  entries: readonly PolicyEntry[]
  defaults: PolicyDefaults
}

const names = ['policy.yml', 'policy.yaml']

/** The policy's entries; none if there is no such file. Throws OperatorFilesError. */
export async function readPolicyFile(folder: string): Promise<PolicyEntry[]> {
  const found = await Promise.all(names.map((name) => textOf(join(folder, name))))
  const [first, second] = found.filter((each) => each !== undefined)
  if (second !== undefined) throw new OperatorFilesError(`${folder} has both ${names.join(' and ')}: keep one of them.`)
  if (first === undefined) return []
  const read = readPolicy(first.text, first.path)
  if (read.ok) return read.entries
  throw new OperatorFilesError(read.problems.map(formatProblem).join('\n'))
}

async function textOf(path: string): Promise<{ path: string; text: string } | undefined> {
  try {
    return { path, text: await readFile(path, 'utf8') }
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR'))
      return undefined
    throw new OperatorFilesError(`The policy file ${path} cannot be read.`, { cause })
  }
}
