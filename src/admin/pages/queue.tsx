// The audit log: who wrote what, when and why.
import { pastRulesOperation } from '../../journal/tables/audit.ts'
import type { AuditEntry, JournalPage } from '../../journal/types.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { type JobSummary, jobStates } from '../api/jobs.ts'
import type { BulkResponse, QueueResponse, QueueStatus } from '../api/routes/queue.ts'
import type { DashboardPage, FormResult, SubmittedForm } from './definition/page.ts'
import { ActionForm } from './forms/action-form.tsx'
import { type Column, column, jobColumns, List, Part, plain } from './lists/list.tsx'
import { Badge } from './parts/badge.tsx'
import { linkTo, Pager, ProjectLink, pathTo, queueTitle } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

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

const auditColumns: Column<AuditEntry>[] = [
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

const path = '/queue'
const toQueue = ({ params: { queue = '' }, reply }: SubmittedForm): FormResult => {
  const { count } = reply.body as Partial<BulkResponse>
  return { goTo: path, query: { queue }, count }
}

const queues: Column<QueueStatus>[] = [
  plain('Queue', ({ queue, paused }) => (
    <>
      {queueTitle(queue)} {paused && <Badge tone="warn">paused</Badge>}
    </>
  )),
  ...jobStates.map((state) =>
    column(queueTitle(state), ({ queue, counts: { [state]: count } }: QueueStatus) =>
      count ? (
        <a class={state === 'failed' ? 'badge bad' : undefined} href={linkTo(path, { queue, state })}>
          {count}
        </a>
      ) : (
        <span class="dim">0</span>
      ),
    ),
  ),
]

type PausedProject = QueueResponse['pausedProjects'][number]

const paused: Column<PausedProject>[] = [
  plain('Project', (each) => <ProjectLink of={each} />),
  column('Since', ({ at }) => <Time at={at} />),
  column('Token', ({ by }) => by),
  column('Reason', ({ why }) => why, 'wide'),
  plain('Actions', ({ project }) => <ActionForm route="resume" input={{ project }} button="Resume" />),
]

const mostFailed = 10
const pageSize = 50

/** Goes to the project's page, or to the queue. */
function toPaused({ input: { project }, reply }: SubmittedForm): FormResult {
  const { enqueued = 0 } = reply.body as { enqueued?: number }
  return { goTo: project === undefined ? path : pathTo('projects', project), count: enqueued }
}

export const queuePage: DashboardPage = {
  path,
  nav: 'Jobs and audit log',
  forms: {
    ...{ pause: toPaused, resume: toPaused, retry_job: toQueue, promote_job: toQueue, discard_job: toQueue },
    ...{ retry_failed: toQueue, discard_jobs: toQueue },
  },
  async show({ query, api }) {
    const { queues: all, pausedProjects } = await api<QueueResponse>('show_queue')
    const { queue, state = 'failed', audit, ...page } = query
    const list = (name: string, input: object) => api<{ items: JobSummary[] }>('list_jobs', { ...input, queue: name })
    const jobs: JobSummary[] = []
    if (queue !== undefined) jobs.push(...(await list(queue, { ...page, state, limit: pageSize })).items)
    else
      for (const each of all.filter(({ counts }) => counts.failed !== 0))
        jobs.push(...(await list(each.queue, { limit: mostFailed })).items)
    const log = await api<JournalPage<AuditEntry>>('list_audit', { after: audit, limit: pageSize })
    const isPaused = all.some((each) => each.paused)
    return {
      title: 'Jobs and audit log',
      body: (
        <>
          {isPaused && (
            <p class="notice">
              Everything is paused: no jobs start. Deliveries are still accepted, up to the queue’s capacity.
            </p>
          )}
          <List of="Queues" items={all} columns={queues} none="" />
          <Jobs items={jobs} queue={queue} state={state} from={Number(page.from ?? 0)} />
          <Pauses isPaused={isPaused} projects={pausedProjects} />
          <Part title="Audit log">
            <List
              of="Audit log"
              items={log.items}
              columns={auditColumns}
              none="No entries yet. Every replay, retry, pause and sweep that a person requests is listed here."
            />
            <Pager to={{ Newest: audit && linkTo(path), Older: log.next && linkTo(path, { audit: log.next }) }} />
          </Part>
        </>
      ),
    }
  },
}

interface JobsShown {
  items: readonly JobSummary[]
  /** Undefined: the failed jobs of all queues. */
  queue: string | undefined
  state: string
  from: number
}

function Jobs({ items, queue, state, from }: JobsShown) {
  const title = `${queueTitle(state)} jobs`
  return (
    <Part title={queue === undefined ? title : `${title}: ${queueTitle(queue)}`}>
      {queue !== undefined && items.length > 0 && state !== 'active' && (
        <div class="actions">
          {state === 'failed' && <ActionForm route="retry_failed" params={{ queue }} button="Retry all" tone="main" />}
          <ActionForm
            route="discard_jobs"
            params={{ queue }}
            input={{ state, dry_run: 'false' }}
            button={`Discard all ${state} jobs`}
            tone="danger"
            why="required"
          />
        </div>
      )}
      <List
        of="Jobs"
        items={items}
        columns={jobColumns}
        none={queue === undefined ? 'None. Jobs whose retries are used up are shown here, with the reason.' : 'None.'}
      />
      <Pager
        to={{
          'Failed jobs of all queues': queue && linkTo(path),
          Older: items.length < pageSize ? undefined : linkTo(path, { queue, state, from: from + pageSize }),
        }}
      />
    </Part>
  )
}

function Pauses({ isPaused, projects }: { isPaused: boolean; projects: readonly PausedProject[] }) {
  return (
    <Part title="Pause">
      {projects.length > 0 && <List of="Paused projects" items={projects} columns={paused} none="" />}
      {isPaused ? (
        <ActionForm route="resume" button="Resume everything" tone="main" />
      ) : (
        <ActionForm route="pause" button="Pause everything" tone="danger" why />
      )}
    </Part>
  )
}
