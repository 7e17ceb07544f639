// The audit log: who wrote what, when and why.
import type { AuditEntry, JournalPage as ListPage } from '../../journal/types.ts'
import type { DashboardPage } from './definition/page.ts'
import { type Column, List } from './lists/list.tsx'
import { Pager } from './lists/pager.tsx'
import { Badge } from './parts/badge.tsx'
import { Time } from './parts/time.tsx'

const columns: Column<AuditEntry>[] = [
  { head: 'Time', cell: ({ at }) => <Time at={at} /> },
  { head: 'Token', cell: ({ by }) => by },
  { head: 'Operation', cell: ({ operation }) => <span class="id">{operation}</span> },
  {
    head: 'Parameters',
    wide: true,
    cell: ({ to }) => (
      <code>
        {Object.entries(to)
          .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(' ')}
      </code>
    ),
  },
  { head: 'Reason', cell: ({ why }) => why },
  { head: 'Status', cell: ({ status }) => <Status of={status} /> },
]

function Status({ of: status }: { of: number | undefined }) {
  if (status === undefined) return <Badge tone="bad">interrupted</Badge>
  return <Badge tone={status < 400 ? 'good' : 'warn'}>{String(status)}</Badge>
}

export const auditPage: DashboardPage = {
  path: '/audit',
  nav: 'Audit log',
  async show({ query, api }) {
    const { items, next } = await api<ListPage<AuditEntry>>('list_audit', { input: query })
    return {
      title: 'Audit log',
      body: (
        <>
          <h1>Audit log</h1>
          <List
            of="Audit log"
            items={items}
            columns={columns}
            none="No entries yet. Every replay, retry, pause and sweep that a person requests is listed here."
          />
          <Pager path="/audit" query={query} next={next} shown={items.length} />
        </>
      ),
    }
  },
}
