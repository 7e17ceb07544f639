// Fills the named groups of a rule that matched into the values of its actions.

import { actionNamed } from '../actions/index.ts'
import { fillValues } from '../language/groups.ts'
import type { TextFacts } from '../language/templates.ts'
import { fingerprint } from '../language/values/fingerprint.ts'
import type { RuleAction } from '../language/values/rule-types.ts'
import type { RuleEvaluation } from './conditions/rules-in-force.ts'

/** The rule with its values. A state rule with other values counts as changed: it does its one-way actions again. */
export function withValues(evaluation: RuleEvaluation, facts: TextFacts): RuleEvaluation {
  const { rule, occurrence } = evaluation
  if (!rule.actions.some(({ fills }) => fills === true)) return evaluation
  const actions = rule.actions.map((each) => withArgs(each, facts))
  const values = actions.filter(({ fills }) => fills === true).map(({ args, refused }) => refused ?? args)
  const own = occurrence === undefined ? `${rule.fingerprint}:${fingerprint(values)}` : rule.fingerprint
  return { ...evaluation, rule: { ...rule, actions, fingerprint: own } }
}

function withArgs(requested: RuleAction, facts: TextFacts): RuleAction {
  const template = requested.fills === true ? actionNamed(requested.action)?.template : undefined
  if (template?.fillArgs === undefined) return requested
  let refused: string | undefined
  const args = template.fillArgs(
    requested.args,
    fillValues(facts, (reason) => {
      refused ??= reason
    }),
  )
  return { ...requested, args: refused === undefined ? args : requested.args, refused }
}
