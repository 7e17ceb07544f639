// A list as a table, which becomes cards in a narrow window, or a text if it is empty; and the columns of its items.
import type { ComponentChildren } from 'preact'
import type { DecisionRecord, DeliveryRecord } from '../../../journal/types.ts'
import { matchedRules } from '../../../rules/explain/decision-outcome.ts'
import { words } from '../../../rules/explain/explain.ts'
import { heldActions, sayHeld } from '../../../rules/explain/history.ts'
import { refName, subjectsOf } from '../../../rules/facts/definition/subject-ref.ts'
import { cut } from '../../../rules/language/values/wording.ts'
import type { FailedJobsResponse, JobSummary } from '../../api/jobs.ts'
import { ActionForm } from '../forms/action-form.tsx'
import { Badge, ResultBadge, StateBadge } from '../parts/badge.tsx'
import { CommaList } from '../parts/details-list.tsx'
import { DecisionLink, DeliveryLink, linkTo, MergeRequestLink, pathTo } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'

export interface Column<T> {
  head: string
  cell: (item: T) => ComponentChildren
  /** Needs no head if rows are cards: the value says what it is. */
  plain?: boolean
  /** Takes the remaining width, is never narrow, or is left out if rows are cards. */
  how?: 'wide' | 'name' | 'spare'
}

type ColumnOf = <T>(head: string, cell: Column<T>['cell'], how?: Column<T>['how']) => Column<T>
export const column: ColumnOf = (head, cell, how) => ({ head, cell, how })
export const plain: ColumnOf = (head, cell, how) => ({ head, cell, how, plain: true })

/** Cards of longer lists show one line of a wide column. */
const mostInFull = 10

export function List<T>(given: {
  of: string
  items: readonly T[]
  columns: readonly Column<T>[]
  none: ComponentChildren
  /** In a small place. */
  small?: true
}) {
  const { of, items, columns, none, small } = given
  if (items.length === 0) return <p class="none">{none}</p>
  return (
    <table class={small ? 'numbers' : items.length > mostInFull ? 'list long' : 'list'}>
      <caption class="visually-hidden">{of}</caption>
      <thead>
        <tr>
          {columns.map(({ head, how }) => (
            <th key={head} scope="col" class={how === 'wide' ? how : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={index}>
            {columns.map(({ head, cell, how, plain }) => (
              <td key={head} class={how} data-head={plain ? undefined : head}>
                <div class="cell">{cell(item)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A part of a page, under its heading. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export const decisionColumns: Column<DecisionRecord>[] = [
  plain('Time', ({ at }) => <Time at={at} />),
  plain('About', ({ mergeRequest }) => <MergeRequestLink of={mergeRequest} />, 'name'),
  plain('Result', (decision) => <Outcome of={decision} />),
  column(
    'Matched rules',
    (decision) => <CommaList of={matchedRules(decision)} most={5} each={(name) => name} />,
    'wide',
  ),
  plain('Decision', (decision) => <DecisionLink of={decision} />),
]

/** So many decisions are read for the newest of each: few, because they have the traces of all rules. */
export const decisionsRead = 100

/** `decisions` are newest first. */
export function newestOfEach(decisions: readonly DecisionRecord[]): DecisionRecord[] {
  const seen = new Map<string, DecisionRecord>()
  for (const each of decisions) {
    const name = refName(each.mergeRequest)
    if (!seen.has(name)) seen.set(name, each)
  }
  return [...seen.values()]
}

/** A badge for each outcome: calls of one action with the same result are one. */
export function Outcome({ of: decision }: { of: Pick<DecisionRecord, 'rules' | 'calls' | 'responses' | 'paused'> }) {
  const { calls, responses, paused } = decision
  const results = new Map(
    responses.map(({ call: { action }, result }) => [JSON.stringify([action, result]), { action, result }]),
  )
  const unsent = calls.slice(responses.length).map(({ action }) => `${action}: not sent`)
  const held = heldActions(decision).map(({ action }) => {
    return `${action.action}: ${words(action.result)} (${cut(sayHeld(action), 40)})`
  })
  const others = new Set([...unsent, ...held])
  return (
    <span class="badges">
      {paused !== undefined && <Badge tone="warn">paused</Badge>}
      {calls.length + others.size === 0 && <Badge tone="idle">nothing to do</Badge>}
      {[...results].map(([key, { action, result }]) => (
        <ResultBadge key={key} of={action} result={result} />
      ))}
      {[...others].map((each) => (
        <Badge key={each} tone="warn">
          {each}
        </Badge>
      ))}
    </span>
  )
}

export const deliveryColumns: Column<DeliveryRecord>[] = [
  plain('Received', ({ receivedAt }) => <Time at={receivedAt} />),
  plain('State', ({ state }) => <StateBadge state={state} />),
  plain('Event', ({ id, event, header }) => (
    <a class="one-line" href={linkTo(pathTo('deliveries', id))}>
      {event?.kind ?? header}
    </a>
  )),
  plain(
    'About',
    (delivery) => <CommaList of={subjectsOf(delivery)} each={(each) => <MergeRequestLink of={each} />} />,
    'name',
  ),
  plain('Reason', ({ reason }) => reason, 'wide'),
  column('Delivery', ({ id }) => <DeliveryLink id={id} text={id.length > 20 ? `${id.slice(0, 18)}…` : id} />, 'spare'),
]

export const jobColumns: Column<JobSummary>[] = [
  plain('Added', ({ addedAt }) => <Time at={addedAt} />),
  plain('State', ({ state, runsAt }) => (
    <>
      <StateBadge state={state} /> {runsAt && <Time at={runsAt} />}
    </>
  )),
  plain('About', (job) => <Subject of={job} />, 'name'),
  column('Attempts', ({ attempts }) => attempts),
  plain('Reason', ({ failure }) => failure, 'wide'),
  plain('Actions', ({ queue, id, state }) => (
    <div class="actions">
      {state === 'failed' && <ActionForm route="retry_job" params={{ queue, id }} button="Retry" />}
      {state === 'delayed' && <ActionForm route="promote_job" params={{ queue, id }} button="Run now" />}
      {state !== 'active' && <ActionForm route="discard_job" params={{ queue, id }} button="Discard" tone="danger" />}
    </div>
  )),
]

function Subject({ of: { queue, id, mergeRequest } }: { of: JobSummary }) {
  if (mergeRequest !== undefined) return <MergeRequestLink of={mergeRequest} />
  if (queue !== 'deliveries') return <span class="id">{id}</span>
  return <DeliveryLink id={id} />
}

export function FailedJobs({ of: { items, more } }: { of: FailedJobsResponse }) {
  return (
    <>
      {items.map(({ queue, id, mergeRequest, failure }) => (
        <div class="problem actions" key={id}>
          <span>
            Evaluating {mergeRequest !== undefined && <MergeRequestLink of={mergeRequest} />} failed: {failure}
          </span>
          <ActionForm route="retry_job" params={{ queue, id }} button="Retry" />
        </div>
      ))}
      {more && (
        <p class="notice">
          Not all failed jobs were scanned: <a href={linkTo('/queue')}>Jobs</a> lists them all.
        </p>
      )}
    </>
  )
}
