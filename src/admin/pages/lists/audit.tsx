// The audit log: who wrote what, when and why.
import { pastRulesOperation } from '../../../journal/tables/audit.ts'
import type { AuditEntry } from '../../../journal/types.ts'
import { refName } from '../../../rules/facts/definition/subject-ref.ts'
import { Badge } from '../parts/badge.tsx'
import { Time } from '../parts/time.tsx'
import { type Column, column, plain } from './list.tsx'

/** The parameters, with the name of the project, merge request or issue in place of its ids, if it is known. */
function parametersOf(to: AuditEntry['to']): [string, unknown][] {
  const { title: _title, url: _url, path: projectPath, ...parameters } = to
  if (typeof projectPath !== 'string') return Object.entries(to)
  const { project: _project, iid, subject, ...rest } = parameters
  if (iid === undefined) return Object.entries({ ...rest, project: projectPath })
  const isOfIssue = subject === 'issue'
  const name = refName({ project: 0, path: projectPath, iid: Number(iid), subject: isOfIssue ? subject : undefined })
  return Object.entries({ ...rest, [isOfIssue ? 'issue' : 'merge_request']: name })
}

function Status({ of: { status, operation } }: { of: AuditEntry }) {
  // No request made it.
  if (operation === pastRulesOperation) return null
  if (status === undefined) return <Badge tone="bad">interrupted</Badge>
  return <Badge tone={status < 400 ? 'good' : 'warn'}>{String(status)}</Badge>
}

export const auditColumns: Column<AuditEntry>[] = [
  plain('Time', ({ at }) => <Time at={at} />),
  plain('By', ({ by }) => by),
  plain('Operation', ({ operation }) => <span class="id">{operation}</span>),
  plain(
    'Parameters',
    ({ to }) => (
      <code>
        {parametersOf(to)
          .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(' ')}
      </code>
    ),
    'wide',
  ),
  column('Reason', ({ why }) => why, 'wide'),
  plain('Status', (entry) => <Status of={entry} />),
]
