// One rule of a decision: verdict, what blocks it, the tree of its conditions, and its actions.
import { firstBlocker, MARKS, words } from '../../../rules/explain/explain.ts'
import type { ActionTrace, RuleTrace, Trace } from '../../../rules/types.ts'
import { Badge, type Tone, VerdictBadge, verdicts } from '../parts/badge.tsx'

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
        {verdict === 'true' && <span class="dim"> {became ? 'newly matched' : 'matched before'}</span>}
        {mode !== undefined && <Badge tone="info">{`mode: ${mode}`}</Badge>}
        {blocker !== undefined && (
          <span class="blocker">
            <b>Blocked by:</b> <code>{blocker.condition}</code>: expected {blocker.expected}, actual {blocker.actual}.
            {blocker.toFix !== undefined && (
              <>
                {' '}
                <b>To fix:</b> {blocker.toFix}
              </>
            )}
          </span>
        )}
      </summary>
      <Conditions of={conditions} />
      {actions.length > 0 && (
        <ul class="action-traces">
          {actions.map((each, index) => (
            <Action key={index} of={each} />
          ))}
        </ul>
      )}
    </details>
  )
}

/** Leaves out the outermost `all`. */
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

function Node({ of: { condition, verdict, expected, actual, toFix, children } }: { of: Trace }) {
  return (
    <li class={`node ${verdict}`}>
      <div class="line">
        <span class="mark" role="img" aria-label={verdicts[verdict].word}>
          {MARKS[verdict]}
        </span>
        <code>{condition}</code>
        <span>
          <span class="dim">{children === undefined ? 'expected ' : ''}</span>
          {expected}
        </span>
        <span>
          <span class="dim">{children === undefined ? 'actual ' : ''}</span>
          {actual}
        </span>
      </div>
      {verdict !== 'true' && children === undefined && toFix !== undefined && <p class="to-fix">To fix: {toFix}</p>}
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
  call: 'info',
  nothing_to_do: 'idle',
  done_before: 'idle',
  blocked: 'warn',
  overruled: 'warn',
  waits: 'warn',
}

function Action({ of: { action, result, detail, conditions, dryRun } }: { of: ActionTrace }) {
  return (
    <li>
      <Badge tone={results[result]}>{words(result)}</Badge> <strong>{action}</strong> {dryRun === true && 'would '}
      {detail}
      {conditions !== undefined && <Conditions of={conditions} />}
    </li>
  )
}
