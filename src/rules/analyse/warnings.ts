// What a rule file without problems may still not mean: rules that never act, and rules that fight. Only what is certain.

import { sayPath } from '../document.ts'
import type { RuleFile } from '../types.ts'
import { type Position, readYaml } from '../yaml-text.ts'
import { fightsIn } from './fights.ts'
import { overruledIn } from './overruled.ts'
import { type Finding, unreachableIn } from './unreachable.ts'

/** A finding with its place in the text. */
export interface Warning extends Position {
  file: string
  /** `rules[2].then.label` */
  path: string
  message: string
}

const MOST_WARNINGS = 100

/** `.bellhop.yml:14:5: warning: rules[2].if: never holds: …` */
export function formatWarning({ file, line, column, path, message }: Warning): string {
  return `${file}:${line}:${column}: warning: ${path}: ${message}`
}

/** Findings with their places, in the order of the text. */
export function placed(text: string, file: string, findings: readonly Finding[]): Warning[] {
  // Reading a text again costs as much as judging its rules.
  if (findings.length === 0) return []
  const read = readYaml(text)
  const place = ({ path, at }: Finding): Position => (read.ok ? read.yaml.position(path, at ?? 'key') : { line: 1, column: 1 })
  return findings
    .map((finding) => ({ file, ...place(finding), path: sayPath(finding.path), message: finding.message }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

/** All warnings of a rule file that reads without a problem. */
export function warningsOf(text: string, { file, rules }: RuleFile): Warning[] {
  const never = rules.flatMap(unreachableIn)
  // A rule that never holds fights with none.
  const dead = new Set(never.filter(({ path }) => path[2] === 'if').map(({ path }) => path[1]))
  const isAlive = ({ path }: Finding) => !dead.has(path[1] ?? '')
  const findings = [...never, ...[...overruledIn(rules), ...fightsIn(rules)].filter(isAlive)]
  return placed(text, file, findings.slice(0, MOST_WARNINGS))
}
