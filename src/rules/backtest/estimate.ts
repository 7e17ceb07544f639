// The sources that rules may read for one merge request or issue, to estimate a backtest's calls.
import { actionNamed } from '../actions/index.ts'
import { factsOfAction } from '../engine/facts-of-action.ts'
import { tellsOf } from '../facts/definition/source.ts'
import { mergeRequestSource, sourceNamed } from '../facts/definition/sources.ts'
import { factNamed } from '../facts/index.ts'
import { factsIn } from '../language/conditions.ts'
import type { Subject } from '../language/values/rule-types.ts'
import type { Override, RuleAction, RuleFileInForce, SourceName } from '../types.ts'

function askedBy(asked: RuleAction, file: RuleFileInForce): { facts: string[]; answers: SourceName[] } {
  const action = actionNamed(asked.action)
  if (action === undefined) return { facts: [], answers: [] }
  const trust =
    action.limited === 'merge' && file.trust === 'repository'
      ? ['target_branch', 'default_branch', 'changed_files']
      : []
  return {
    facts: [...action.needs, ...factsOfAction(asked), ...trust],
    answers: action.reads?.answers?.(asked.args) ?? [],
  }
}

/** The sources of state rules for the subject; overridden facts need none. */
export function sourcesOf(
  files: readonly RuleFileInForce[],
  overrides: readonly Override[],
  of: Subject = 'merge_request',
): SourceName[] {
  const rules = files.flatMap((file) =>
    file.rules.rules
      .filter(({ on, subject = 'merge_request' }) => on === undefined && subject === of)
      .map((rule) => ({ file, rule })),
  )
  const asked = rules.flatMap(({ file, rule }) => rule.actions.map((action) => askedBy(action, file)))
  const names = new Set([...rules.flatMap(({ rule }) => factsIn(rule.if)), ...asked.flatMap(({ facts }) => facts)])
  for (const { fact } of overrides) names.delete(fact)
  const read = [...names].flatMap((name) => factNamed(name)?.from ?? [])
  const all = new Set([mergeRequestSource, ...read, ...asked.flatMap(({ answers }) => answers)])
  return [...all].filter((name) => {
    const source = sourceNamed(name)
    return source !== undefined && tellsOf(source, of)
  })
}

/** The fewest calls that read these sources. */
export function callsOf(sources: readonly SourceName[]): number {
  return sources.reduce((sum, name) => sum + (sourceNamed(name)?.pagedCalls?.length ?? 1), 0)
}
