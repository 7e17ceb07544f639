// The calls and rules of a decision, or of a dry run.
import { sayBroken } from '../../../rules/explain/explain.ts'
import type { Decision } from '../../../rules/types.ts'
import { Time } from '../parts/time.tsx'
import { Calls } from './calls.tsx'
import { Rule } from './rule-trace.tsx'

/** With more rules, only those that match are expanded. */
const mostExpanded = 8

/** `made`: its calls were sent and have responses. */
export function DecisionView({ of, made }: { of: Decision; made: boolean }) {
  const broken = sayBroken(of.files)
  const { rules, calls, responses, dryRunCalls = [], uncertain = [], paused, offIgnored, againInMs, changesAt } = of
  return (
    <>
      {broken !== undefined && <p class="notice">{broken}</p>}
      {paused !== undefined && <p class="notice">Paused: {paused}</p>}
      {offIgnored !== undefined && <p class="notice">{offIgnored}</p>}
      {uncertain.map((each, index) => (
        <p class="notice" key={index}>
          Unknown effect: {each} Check whether it was done.
        </p>
      ))}
      <section class="part">
        <h2>{made ? 'Calls' : 'Calls that would be made'}</h2>
        <Calls of={calls} {...(made ? { responses } : {})} />
      </section>
      {dryRunCalls.length > 0 && (
        <section class="part">
          <h2>Calls of rules in observe mode, not sent</h2>
          <Calls of={dryRunCalls} />
        </section>
      )}
      <section class="part">
        <h2>Rules</h2>
        {rules.length === 0 && (
          <p class="none">
            No rules were in force. The rules of a repository are in .bellhop.yml of its default branch.
          </p>
        )}
        {rules.map((each) => (
          <Rule key={each.key} of={each} open={rules.length <= mostExpanded || each.verdict === 'true'} />
        ))}
      </section>
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
