// The audit log: who wrote what, when and why.
import type { AuditEntry, Page as ListPage } from '../../journal/types.ts'
import type { Page } from './page.ts'
import { Badge } from './parts/badge.tsx'
import { type Column, List } from './parts/list.tsx'
import { Pager } from './parts/pager.tsx'
import { Time } from './parts/time.tsx'

const columns: Column<AuditEntry>[] = [
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
  { head: 'Who', cell: ({ by }) => by },
  { head: 'What', cell: ({ did }) => <span class="id">{did}</span> },
  {
    head: 'With',
    wide: true,
    cell: ({ to }) => (
      <code>
        {Object.entries(to)
          .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(' ')}
      </code>
    ),
  },
  { head: 'Why', cell: ({ why }) => why },
  { head: 'Answer', cell: ({ status }) => <Answered status={status} /> },
]

function Answered({ status }: { status: number | undefined }) {
  if (status === undefined) return <Badge tone="bad">ended in the middle</Badge>
  return <Badge tone={status < 400 ? 'good' : 'warn'}>{String(status)}</Badge>
}

export const auditPage: Page = {
  path: '/audit',
  nav: 'Audit log',
  async show({ query, ask }) {
    const { items, next } = await ask<ListPage<AuditEntry>>('list_audit', { input: query })
    return {
      title: 'Audit log',
      body: (
        <>
          <h1>Audit log</h1>
          <List
            of="Audit log"
            items={items}
            columns={columns}
            none="Nobody has done anything yet. Each replay, retry, pause and sweep that a person asks for is listed here."
          />
          <Pager path="/audit" query={query} next={next} shown={items.length} />
        </>
      ),
    }
  },
}
