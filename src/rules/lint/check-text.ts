// Checks the text of one rule file: its problems, or its rules with warnings.
import { readRules } from '../language/documents/rule-document.ts'
import type { Problem, RuleFile, Trust } from '../types.ts'
import { type Warning, warningsOf } from './warnings.ts'

export interface CheckedText {
  problems: Problem[]
  warnings: Warning[]
  /** Only for a text without problems. */
  rules?: RuleFile
}

export function checkText(text: string, file: string, of: { trust: Trust; included?: boolean }): CheckedText {
  const read = readRules(text, file, of)
  if (!read.ok) return { problems: read.problems, warnings: [] }
  return { problems: [], warnings: warningsOf(text, read.rules), rules: read.rules }
}
