// The calls and rules of a decision, or of a dry run.
import { isNear, sayLimits } from '../../../rules/explain/explain.ts'
import { type NamedRef, sayNoRules } from '../../../rules/facts/definition/subject-ref.ts'
import { count } from '../../../rules/language/values/wording.ts'
import type { Decision, RuleTrace } from '../../../rules/types.ts'
import { Part } from '../lists/list.tsx'
import { Time } from '../parts/time.tsx'
import { Calls } from './calls.tsx'
import { Rule } from './rule-trace.tsx'

/** `on`: what it is about. `made`: its calls were sent and have responses. */
export function DecisionView({ of, on, made }: { of: Decision; on: NamedRef; made: boolean }) {
  const { rules, calls, responses, dryRunCalls = [], uncertain = [], paused, offIgnored, againInMs, changesAt } = of
  return (
    <>
      {sayLimits(of).map((each) => (
        <p class="notice" key={each}>
          {`${each}.`}
        </p>
      ))}
      {paused !== undefined && <p class="notice">Paused: {paused}</p>}
      {offIgnored !== undefined && <p class="notice">{offIgnored}</p>}
      {uncertain.map((each, index) => (
        <p class="notice" key={index}>
          Unknown effect: {each} Check whether it was done.
        </p>
      ))}
      <Part title={made ? 'Calls' : 'Calls that would be made'}>
        <Calls of={calls} responses={made ? responses : undefined} />
      </Part>
      {dryRunCalls.length > 0 && (
        <Part title="Calls of rules in observe mode, not sent">
          <Calls of={dryRunCalls} />
        </Part>
      )}
      <Rules of={rules} none={sayNoRules(on, of)} />
      {againInMs !== undefined && (
        <p class="dim">Evaluated again after {Math.ceil(againInMs / 1_000)} s: what blocks may pass.</p>
      )}
      {changesAt !== undefined && (
        <p class="dim">
          Evaluated again <Time at={changesAt} />: a verdict depends on the time.
        </p>
      )}
    </>
  )
}

/** Matched rules, then those that one condition blocks; the others are folded. */
function Rules({ of: rules, none }: { of: readonly RuleTrace[]; none: string }) {
  const near = rules.filter(isNear).sort((a, b) => Number(b.verdict === 'true') - Number(a.verdict === 'true'))
  const others = rules.filter((each) => !isNear(each))
  return (
    <Part title="Rules">
      {rules.length === 0 && (
        <p class="none">{none} The rules of a repository are in .bellhop.yml of its default branch.</p>
      )}
      {near.map((each) => (
        <Rule key={each.key} of={each} open />
      ))}
      {others.length > 0 && (
        <details class="others">
          <summary>{count(others.length, 'rule that does', 'rules that do')} not apply</summary>
          {others.map((each) => (
            <Rule key={each.key} of={each} open={false} />
          ))}
        </details>
      )}
    </Part>
  )
}
