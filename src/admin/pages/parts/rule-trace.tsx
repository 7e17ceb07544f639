// One rule of a decision: its verdict, what is first in its way, its conditions as a tree, and what came of its actions.
import { firstBlocker } from '../../../rules/explain.ts'
import type { ActionTrace, RuleTrace, Trace, Verdict } from '../../../rules/types.ts'
import { Badge, type Tone, VerdictBadge } from './badge.tsx'

export function Rule({ of: rule, open }: { of: RuleTrace; open: boolean }) {
  const { name, file, line, verdict, became, mode, conditions, actions } = rule
  const blocker = firstBlocker(rule)
  return (
    <details class="rule" open={open}>
      <summary>
        <VerdictBadge verdict={verdict} /> <strong>{name}</strong>{' '}
        <span class="id dim">
          {file}:{line}
        </span>
        {verdict === 'true' && <span class="dim"> {became ? 'became true with this decision' : 'was true before'}</span>}
        {mode !== undefined && <Badge tone="info">{`mode: ${mode}`}</Badge>}
        {blocker !== undefined && (
          <span class="blocker">
            <b>First in the way:</b> <code>{blocker.condition}</code>: wanted {blocker.wanted}, found {blocker.actual}.
            {blocker.unblock !== undefined && (
              <>
                {' '}
                <b>What helps:</b> {blocker.unblock}
              </>
            )}
          </span>
        )}
      </summary>
      <Conditions of={conditions} />
      {actions.length > 0 && (
        <ul class="acts">
          {actions.map((each, index) => (
            <Act key={index} of={each} />
          ))}
        </ul>
      )}
    </details>
  )
}

/** The `all` that every `if` is says nothing itself. */
function Conditions({ of }: { of: Trace }) {
  return (
    <ul class="trace">
      {of.condition === 'all' && of.children !== undefined ? (
        of.children.map((each, index) => <Node key={index} of={each} />)
      ) : (
        <Node of={of} />
      )}
    </ul>
  )
}

const marks: Record<Verdict, { mark: string; word: string }> = {
  true: { mark: '✓', word: 'true' },
  false: { mark: '✗', word: 'false' },
  unknown: { mark: '?', word: 'unknown' },
}

function Node({ of: { condition, verdict, wanted, actual, unblock, children } }: { of: Trace }) {
  const { mark, word } = marks[verdict]
  return (
    <li class={`node ${verdict}`}>
      <div class="line">
        <span class="mark" role="img" aria-label={word}>
          {mark}
        </span>
        <code>{condition}</code>
        <span>
          <span class="dim">{children === undefined ? 'wanted ' : ''}</span>
          {wanted}
        </span>
        <span>
          <span class="dim">{children === undefined ? 'found ' : ''}</span>
          {actual}
        </span>
      </div>
      {verdict !== 'true' && children === undefined && unblock !== undefined && <p class="helps">What helps: {unblock}</p>}
      {children !== undefined && (
        <ul>
          {children.map((each, index) => (
            <Node key={index} of={each} />
          ))}
        </ul>
      )}
    </li>
  )
}

const results: Record<ActionTrace['result'], Tone> = {
  ...{ call: 'info', 'nothing to do': 'idle', 'done before': 'idle', 'held back': 'warn', lost: 'warn', waits: 'warn' },
}

function Act({ of: { action, result, detail, conditions, supposed } }: { of: ActionTrace }) {
  return (
    <li>
      <Badge tone={results[result]}>{result}</Badge> <strong>{action}</strong> {supposed === true && 'would '}
      {detail}
      {conditions !== undefined && <Conditions of={conditions} />}
    </li>
  )
}
