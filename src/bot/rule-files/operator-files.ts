// The operator's rule files: every *.yml of the rules folder. A broken one stops the start.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RuleFileInForce } from '../../rules/engine/decide.ts'
import { formatProblem, readRules } from '../../rules/language/documents/rule-document.ts'

/** An operator's rule file cannot be used; the message has a line per problem: file, line and column. */
export class OperatorFilesError extends Error {
  override readonly name = 'OperatorFilesError'
}

/** All *.yml and *.yaml files but tests and the policy. No folder: no rules. Throws OperatorFilesError. */
export async function readOperatorFiles(folder: string): Promise<RuleFileInForce[]> {
  const names = await fileNames(folder)
  const problems: string[] = []
  const files: RuleFileInForce[] = []
  for (const name of names) {
    const path = join(folder, name)
    const text = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw new OperatorFilesError(`The rule file ${path} cannot be read.`, { cause })
    })
    const document = readRules(text, path, { trust: 'operator' })
    if (document.ok) files.push({ rules: document.rules, path, blob: gitBlob(text), trust: 'operator', broken: false })
    else problems.push(...document.problems.map(formatProblem))
  }
  if (problems.length > 0) throw new OperatorFilesError(problems.join('\n'))
  return files
}

async function fileNames(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names.filter((name) => /\.ya?ml$/.test(name) && !/(^policy|\.test)\.ya?ml$/.test(name)).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw new OperatorFilesError(`The rules folder ${folder} cannot be read.`, { cause: error })
  }
}

/** The blob id that git would give the content, as decisions name repositories' files by theirs. */
function gitBlob(text: string): string {
  const bytes = Buffer.from(text)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
