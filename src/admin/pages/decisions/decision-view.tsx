// The calls and rules of a decision, or of a dry run.
import { firstBlocker, isNear, MARKS, sayLimits, sayParameters, words } from '../../../rules/explain/explain.ts'
import { sayVerdict } from '../../../rules/explain/verdict.ts'
import { isMergeRequest, type NamedRef, refName, sayNoRules } from '../../../rules/facts/definition/subject-ref.ts'
import { count } from '../../../rules/language/values/wording.ts'
import type { ActionTrace, Call, CallResponse, Decision, RuleTrace, Trace, Verdict } from '../../../rules/types.ts'
import type { DecisionComparison, DryRunResponse } from '../../api/routes/replays.ts'
import { type Column, column, List, Outcome, Part, plain } from '../lists/list.tsx'
import { Badge, ResultBadge, type Tone, VerdictBadge, verdicts } from '../parts/badge.tsx'
import { DecisionLink, MergeRequestLink, wordFor } from '../parts/links.tsx'
import { formatMs, Time } from '../parts/time.tsx'

/** `on`: what it is about. `made`: its calls were sent and have responses. */
export function DecisionView({ of, on, made }: { of: Decision; on: NamedRef; made: boolean }) {
  const { rules, calls, responses, dryRunCalls = [], uncertain = [], paused, offIgnored, againInMs, changesAt } = of
  return (
    <>
      {isMergeRequest(on) && <p class="verdict">{sayVerdict(of)}</p>}
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
          <span class={rule.leadsTo === undefined ? 'blocker' : 'blocker warn'}>
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

interface Row {
  call: Call
  response: CallResponse | undefined
}

const callColumns: Column<Row>[] = [
  plain('Action', ({ call }) => [call.action, ...(call.with ?? [])].join(', ')),
  plain(
    'Call',
    ({ call }) => (
      <>
        <span class="id">{call.endpoint}</span> <code>{sayParameters(call).trimStart()}</code>
      </>
    ),
    'wide',
  ),
  column('Rules', ({ call }) => call.rules.map((key) => key.slice(key.indexOf('#') + 1)).join(', ')),
]
const responseColumns: Column<Row>[] = [
  plain('Response', ({ response }) => (
    <>
      {response === undefined ? <Badge tone="warn">not sent</Badge> : <ResultBadge result={response.result} />}
      {response?.message !== undefined && <div class="dim">{response.message}</div>}
    </>
  )),
  column('Status', ({ response }) => response?.status),
  column('Duration', ({ response }) => response && <span class="one-line">{formatMs(response.tookMs)}</span>),
]

/** `responses`: the responses in the same order; absent for a dry run. */
function Calls({ of, responses }: { of: readonly Call[]; responses?: readonly CallResponse[] }) {
  const rows = of.map((call, index) => ({ call, response: responses?.[index] }))
  return (
    <List
      of="Calls"
      items={rows}
      columns={responses === undefined ? callColumns : [...callColumns, ...responseColumns]}
      none="No calls."
    />
  )
}

type VerdictChange = DecisionComparison['changed'][number]

const columns: Column<VerdictChange>[] = [
  column('Rule', ({ rule }) => rule, 'wide'),
  column('File', ({ file }) => <span class="id">{file}</span>),
  column('Then', ({ before }) => <VerdictOrNone of={before} />),
  column('Now', ({ now }) => <VerdictOrNone of={now} />),
]

function VerdictOrNone({ of }: { of: Verdict | null }) {
  return of === null ? <Badge tone="idle">no such rule</Badge> : <VerdictBadge verdict={of} />
}

export function DryRun({ of: { mergeRequests } }: { of: DryRunResponse }) {
  if (mergeRequests.length === 0)
    return (
      <p class="none">
        It concerned no merge request and no issue. A replay parses it again, while its body is stored.
      </p>
    )
  return (
    <>
      {mergeRequests.map((each) => (
        <Comparison key={refName(each.mergeRequest)} of={each} />
      ))}
    </>
  )
}

function Comparison({ of: { mergeRequest, before, now, summary, changed } }: { of: DecisionComparison }) {
  return (
    <section class="part">
      <h2>
        {wordFor(mergeRequest)} <MergeRequestLink of={mergeRequest} />
      </h2>
      <div class="columns">
        <div class="column">
          <h3>Then</h3>
          {before.length === 0 && <p class="dim">No decision.</p>}
          {before.map((each) => (
            <p key={each.id}>
              <Outcome of={each} /> <Time at={each.at} /> <DecisionLink of={each} />
            </p>
          ))}
        </div>
        <div class="column">
          <h3>Now</h3>
          <p>{summary}</p>
        </div>
      </div>
      {changed.length > 0 && <List of="Changed verdicts" items={changed} columns={columns} none="" />}
      {now !== undefined && (
        <details class="rule">
          <summary>All rules now</summary>
          <DecisionView of={now} on={mergeRequest} made={false} />
        </details>
      )}
    </section>
  )
}
