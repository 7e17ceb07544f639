// Checks one file: whose it is follows from its name, and with that what it may say.
import { basename } from 'node:path'
import { type Warning, warningsOf } from '../../rules/analyse/warnings.ts'
import { readRules } from '../../rules/document.ts'
import { readPolicy } from '../../rules/policy-document.ts'
import type { Problem, RuleFile } from '../../rules/types.ts'
import { readText } from '../read-text.ts'

export const owners = ['repository', 'operator', 'included'] as const
export type Owner = (typeof owners)[number]

export interface CheckedFile {
  file: string
  text: string
  problems: Problem[]
  warnings: Warning[]
  /** Where there are no problems, and it is a file of rules. */
  rules?: RuleFile
}

/** Tests of rules are no rules: their own command runs them. */
export const isRuleTest = (file: string) => /\.test\.ya?ml$/.test(file)

/** `.bellhop.yml` is a repository's; other names are those of an operator's folder. */
const ownerOf = (file: string): Owner => (/(?:^|\.)bellhop\.ya?ml$/.test(basename(file)) ? 'repository' : 'operator')

/** Problems and warnings of one file. Throws UserError where it cannot be read. */
export async function checkFile(file: string, as: Owner | undefined): Promise<CheckedFile> {
  const text = await readText(file)
  const owner = as ?? ownerOf(file)
  if (as === undefined && /^policy\.ya?ml$/.test(basename(file))) {
    const policy = readPolicy(text, file)
    return { file, text, problems: policy.ok ? [] : policy.problems, warnings: [] }
  }
  const read = readRules(text, file, { trust: owner === 'operator' ? 'operator' : 'repository', included: owner === 'included' })
  if (!read.ok) return { file, text, problems: read.problems, warnings: [] }
  return { file, text, problems: [], warnings: warningsOf(text, read.rules), rules: read.rules }
}
