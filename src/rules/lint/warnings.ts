// Checks the text of one rule file: its problems, or warnings of rules that never act and of rules that conflict.
import { readRules, ruleFileLimits, sayPath } from '../language/documents/rule-document.ts'
import type { EventFilter } from '../language/values/rule-types.ts'
import { type Position, readDocumentYaml, readYaml, type YamlText } from '../language/yaml/yaml-text.ts'
import type { Problem, RuleFile, Trust } from '../types.ts'
import { conflictsIn, overruledIn } from './conflicts.ts'
import { type LintFinding, unreachableIn } from './possible.ts'
import { mistakesInActions, mistakesInCondition, mistakesInText } from './probable-mistakes.ts'

/** A finding with its place in the text. */
export type Warning = Omit<Problem, 'expected' | 'found'>

type ReadText = { ok: true; yaml: YamlText } | { ok: false }

const MOST_WARNINGS = 100

/** `.bellhop.yml:14:5: warning: rules[2].if: never matches: …` */
export const formatWarning = (warning: Warning): string => formatFinding(warning, 'warning')

export function formatFinding({ file, line, column, path, message }: Warning, severity: 'warning' | 'info'): string {
  return `${file}:${line}:${column}: ${severity}: ${path === '' ? '' : `${path}: `}${message}`
}

/** Findings with their places, in the order of the text. */
export function placed(text: string, file: string, findings: readonly LintFinding[], read: ReadText = readYaml(text)) {
  const place = ({ path, at }: LintFinding): Position =>
    read.ok ? read.yaml.position(path, at ?? 'key') : { line: 1, column: 1 }
  return findings
    .map((finding) => ({ file, ...place(finding), path: sayPath(finding.path), message: finding.message }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

/** All warnings of a rule file that reads without a problem. */
export function warningsOf(text: string, ruleFile: RuleFile, read: ReadText = readYaml(text)): Warning[] {
  const { file, rules } = ruleFile
  const never = rules.flatMap(unreachableIn)
  // A rule that never matches has no conflicts.
  const dead = new Set(never.filter(({ path }) => path[2] === 'if').map(({ path }) => path[1]))
  const isAlive = ({ path }: LintFinding) => !dead.has(path[1] ?? '')
  const findings = [
    ...never,
    ...(read.ok ? mistakesInText(read.yaml.value) : []),
    ...rules.flatMap((rule, index) => [
      ...mistakesInCondition(rule, index),
      ...mistakesInActions(rule, index, ruleFile),
    ]),
    ...[...overruledIn(rules), ...conflictsIn(rules)].filter(isAlive),
  ]
  return placed(text, file, findings.slice(0, MOST_WARNINGS), read)
}

export interface CheckedText {
  problems: Problem[]
  warnings: Warning[]
  /** Only for a text without problems. */
  rules?: RuleFile
}

export function checkText(text: string, file: string, of: { trust: Trust; included?: boolean }): CheckedText {
  const yaml = readDocumentYaml(text, file, ruleFileLimits)
  const read = readRules(text, file, of, yaml)
  if (!read.ok) return { problems: read.problems, warnings: [] }
  return { problems: [], warnings: warningsOf(text, read.rules, yaml), rules: read.rules }
}

/** What it reads from lists, notes, label events and pipelines. */
const SEEN: ReadonlySet<string> = new Set([
  ...['note.create', 'merge_request.open', 'merge_request.close', 'merge_request.merge', 'issue.open', 'issue.close'],
  ...['success', 'failed', 'canceled', 'skipped', 'manual'].map((state) => `pipeline.${state}`),
])
const ONLY_LABELS: ReadonlySet<string> = new Set(['merge_request.update', 'issue.update'])

/** A finding for each event that a run without hooks does not see, or not always. */
export function unseenWithoutHooks({ rules }: Pick<RuleFile, 'rules'>): LintFinding[] {
  return rules.flatMap(({ on = [] }, index) =>
    on.flatMap((filter) => {
      const why = whyUnseen(filter)
      return why === undefined ? [] : [{ path: ['rules', index, 'on'], message: `${filter.kind}: bellhop run ${why}` }]
    }),
  )
}

function whyUnseen({ kind, changed }: EventFilter): string | undefined {
  if (SEEN.has(kind)) return undefined
  if (ONLY_LABELS.has(kind))
    return changed?.every((field) => field === 'labels') ? undefined : 'sees only changes of labels'
  const seen = [...SEEN, ...ONLY_LABELS].filter((each) => kind.endsWith('.*') && each.startsWith(kind.slice(0, -1)))
  return seen.length === 0 ? 'does not see it: only hooks tell' : `sees only ${seen.join(', ')}`
}
