// Checks one rule or policy file.
import { basename } from 'node:path'
import { readPolicy } from '../../rules/language/documents/policy-document.ts'
import { readRules } from '../../rules/language/documents/rule-document.ts'
import { type Warning, warningsOf } from '../../rules/lint/warnings.ts'
import type { Problem, RuleFile } from '../../rules/types.ts'
import { readText } from '../read-text.ts'

export const owners = ['repository', 'operator', 'included'] as const
export type Owner = (typeof owners)[number]

export interface CheckedFile {
  file: string
  text: string
  problems: Problem[]
  warnings: Warning[]
  /** Of a rule file without problems. */
  rules?: RuleFile
}

export const isRuleTest = (file: string) => /\.test\.ya?ml$/.test(file)

const ownerOf = (file: string): Owner => (/(?:^|\.)bellhop\.ya?ml$/.test(basename(file)) ? 'repository' : 'operator')

/** Throws UsageError where the file cannot be read. */
export async function checkFile(file: string, as: Owner | undefined): Promise<CheckedFile> {
  const text = await readText(file)
  const owner = as ?? ownerOf(file)
  if (as === undefined && /^policy\.ya?ml$/.test(basename(file))) {
    const policy = readPolicy(text, file)
    return { file, text, problems: policy.ok ? [] : policy.problems, warnings: [] }
  }
  const read = readRules(text, file, {
    trust: owner === 'operator' ? 'operator' : 'repository',
    included: owner === 'included',
  })
  if (!read.ok) return { file, text, problems: read.problems, warnings: [] }
  return { file, text, problems: [], warnings: warningsOf(text, read.rules), rules: read.rules }
}
