// The calls of a decision, with their responses if they were sent.
import { sayParameters } from '../../../rules/explain/explain.ts'
import type { Call, CallResponse } from '../../../rules/types.ts'
import { type Column, List } from '../lists/list.tsx'
import { Badge, ResultBadge } from '../parts/badge.tsx'
import { formatMs } from '../parts/time.tsx'

interface Row {
  call: Call
  response: CallResponse | undefined
}

const callColumns: Column<Row>[] = [
  { head: 'Action', plain: true, cell: ({ call }) => [call.action, ...(call.with ?? [])].join(', ') },
  {
    head: 'Call',
    plain: true,
    wide: true,
    cell: ({ call }) => (
      <>
        <span class="id">{call.endpoint}</span> <code>{sayParameters(call).trimStart()}</code>
      </>
    ),
  },
  { head: 'Rules', cell: ({ call }) => call.rules.map((key) => key.slice(key.indexOf('#') + 1)).join(', ') },
]
const responseColumns: Column<Row>[] = [
  {
    head: 'Response',
    plain: true,
    cell: ({ response }) => (
      <>
        {response === undefined ? <Badge tone="warn">not sent</Badge> : <ResultBadge result={response.result} />}
        {response?.message !== undefined && <div class="dim">{response.message}</div>}
      </>
    ),
  },
  { head: 'Status', cell: ({ response }) => response?.status },
  { head: 'Duration', cell: ({ response }) => response && <span class="one-line">{formatMs(response.tookMs)}</span> },
]

/** `responses`: the responses in the same order; absent for a dry run. */
export function Calls({ of, responses }: { of: readonly Call[]; responses?: readonly CallResponse[] }) {
  const rows = of.map((call, index) => ({ call, response: responses?.[index] }))
  return (
    <List
      of="Calls"
      items={rows}
      columns={responses === undefined ? callColumns : [...callColumns, ...responseColumns]}
      none="No calls: nothing to do."
    />
  )
}
