// How many calls a backtest makes at most for one merge request: the sources of all that its rules may ask for.
import { factsIn } from '../../rules/conditions.ts'
import { actionNamed } from '../../rules/plan.ts'
import { boundSource } from '../../rules/sources.ts'
import { namesIn } from '../../rules/templates.ts'
import type { RuleAction, RuleFileInForce, SourceName, Supposition } from '../../rules/types.ts'
import { factNamed } from '../../rules/view.ts'

/** The facts that an action looks at, and the answers that it reads besides. */
function askedBy({ action: name, args }: RuleAction, file: RuleFileInForce): { facts: string[]; answers: SourceName[] } {
  const action = actionNamed(name)
  if (action === undefined) return { facts: [], answers: [] }
  const trust = action.policy === 'merge' && file.trust === 'repository' ? ['target_branch', 'default_branch', 'changed_files'] : []
  return {
    facts: [
      ...action.needs,
      ...(action.also?.(args) ?? []),
      ...(action.requires?.(args) ?? []).flatMap(factsIn),
      ...(action.texts?.(args) ?? []).flatMap(namesIn),
      ...trust,
    ],
    answers: action.reads?.(args) ?? [],
  }
}

/** The sources that state rules may read for one merge request, where these facts are supposed. */
export function sourcesOf(files: readonly RuleFileInForce[], suppose: readonly Supposition[]): SourceName[] {
  const rules = files.flatMap((file) => file.rules.rules.filter(({ on }) => on === undefined).map((rule) => ({ file, rule })))
  const asked = rules.flatMap(({ file, rule }) => rule.actions.map((action) => askedBy(action, file)))
  const names = new Set([...rules.flatMap(({ rule }) => factsIn(rule.if)), ...asked.flatMap(({ facts }) => facts)])
  for (const { fact } of suppose) names.delete(fact)
  const read = [...names].flatMap((name) => factNamed(name)?.from ?? [])
  return [...new Set([boundSource, ...read, ...asked.flatMap(({ answers }) => answers)])]
}
