// The calls of a decision as a table: what was sent, for which rules, and what the service answered.
import type { Answer, Call } from '../../../rules/types.ts'
import { Badge, ResultBadge } from './badge.tsx'
import { type Column, List } from './list.tsx'
import { sayMs } from './time.tsx'

interface Row {
  call: Call
  answer: Answer | undefined
}

const asked: Column<Row>[] = [
  { head: 'Action', cell: ({ call }) => [call.action, ...(call.with ?? [])].join(', ') },
  {
    head: 'Call',
    wide: true,
    cell: ({ call }) => (
      <>
        <span class="id">{call.endpoint}</span> <code>{parametersOf(call)}</code>
      </>
    ),
  },
  { head: 'Rules', cell: ({ call }) => call.rules.map((key) => key.slice(key.indexOf('#') + 1)).join(', ') },
]
const answered: Column<Row>[] = [
  {
    head: 'Answer',
    cell: ({ answer }) => (
      <>
        {answer === undefined ? <Badge tone="warn">not sent</Badge> : <ResultBadge result={answer.result} />}
        {answer?.message !== undefined && <div class="dim">{answer.message}</div>}
      </>
    ),
  },
  { head: 'Status', cell: ({ answer }) => answer?.status },
  { head: 'Took', cell: ({ answer }) => answer && <span class="one-line">{sayMs(answer.tookMs)}</span> },
]

/** With their answers, unless they were never meant to be sent. */
export function Calls({ of, answers }: { of: readonly Call[]; answers?: readonly Answer[] }) {
  const rows = of.map((call, index) => ({ call, answer: answers?.[index] }))
  return <List of="Calls" items={rows} columns={answers === undefined ? asked : [...asked, ...answered]} none="No call: nothing to do." />
}

const isInPath = (name: string) => name === 'id' || name === 'merge_request_iid'

function parametersOf({ params }: Call): string {
  return Object.entries(params)
    .filter(([name]) => !isInPath(name))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ')
}
