// What the rules said and what was called for it: of a decision that was made, and of one that would be made now.
import type { Decision } from '../../../rules/types.ts'
import { Calls } from './calls.tsx'
import { Rule } from './rule-trace.tsx'
import { Time } from './time.tsx'

/** Of more rules than that, only those that hold are unfolded. */
const FEW = 8

/** `made`: its calls were sent, and have answers. */
export function DecisionView({ of, made }: { of: Decision; made: boolean }) {
  const { rules, calls, answers, supposed = [], uncertain = [], paused, offIgnored, againInMs, changesAt } = of
  return (
    <>
      {paused !== undefined && <p class="notice">Paused, whatever the rules say: {paused}</p>}
      {offIgnored !== undefined && <p class="notice">{offIgnored}</p>}
      {uncertain.map((each, index) => (
        <p class="notice" key={index}>
          Not certain: {each} A person has to look whether it was done.
        </p>
      ))}
      <section class="part">
        <h2>{made ? 'Calls' : 'Calls that would be made'}</h2>
        <Calls of={calls} {...(made ? { answers } : {})} />
      </section>
      {supposed.length > 0 && (
        <section class="part">
          <h2>Calls of rules that only observe, which are not made</h2>
          <Calls of={supposed} />
        </section>
      )}
      <section class="part">
        <h2>Rules</h2>
        {rules.length === 0 && <p class="none">No rules were in force. A repository’s are in .bellhop.yml of its default branch.</p>}
        {rules.map((each) => (
          <Rule key={each.key} of={each} open={rules.length <= FEW || each.verdict === 'true'} />
        ))}
      </section>
      {againInMs !== undefined && (
        <p class="dim">Judged again by itself after {Math.ceil(againInMs / 1_000)} s: what is in the way may pass.</p>
      )}
      {changesAt !== undefined && (
        <p class="dim">
          Judged again <Time at={changesAt} />: a verdict may be another then, though nothing happens.
        </p>
      )}
    </>
  )
}
