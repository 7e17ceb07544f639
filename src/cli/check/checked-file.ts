// Checks one rule or policy file.
import { basename } from 'node:path'
import { readPolicy } from '../../rules/language/documents/policy-document.ts'
import { type CheckedText, checkText, type Warning } from '../../rules/lint/warnings.ts'
import { readText } from '../read-text.ts'

export const owners = ['repository', 'operator', 'included'] as const
export type Owner = (typeof owners)[number]

export interface CheckedFile extends CheckedText {
  file: string
  text: string
  /** What the service says about the rules; absent if it was not asked. */
  information?: Warning[]
}

export const isRuleTest = (file: string) => /\.test\.ya?ml$/.test(file)

const ownerOf = (file: string): Owner => (/(?:^|\.)bellhop\.ya?ml$/.test(basename(file)) ? 'repository' : 'operator')

/** Throws UsageError if the file cannot be read. */
export async function checkFile(file: string, as: Owner | undefined): Promise<CheckedFile> {
  const text = await readText(file)
  const owner = as ?? ownerOf(file)
  if (as === undefined && /^policy\.ya?ml$/.test(basename(file))) {
    const policy = readPolicy(text, file)
    return { file, text, problems: policy.ok ? [] : policy.problems, warnings: [] }
  }
  const of = { trust: owner === 'operator' ? 'operator' : 'repository', included: owner === 'included' } as const
  return { file, text, ...checkText(text, file, of) }
}
