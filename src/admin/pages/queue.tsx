// Jobs: how many each queue has, those that failed or are in one state, and pausing.
import { count as counted } from '../../rules/language/values/wording.ts'
import { type JobSummary, jobStates } from '../api/jobs.ts'
import type { BulkResponse, QueueResponse, QueueStatus } from '../api/routes/queue.ts'
import type { DashboardPage, FormResult, SubmittedForm } from './definition/page.ts'
import { ActionForm } from './forms/action-form.tsx'
import { type Column, column, jobColumns, List, Part, plain } from './lists/list.tsx'
import { Badge } from './parts/badge.tsx'
import { linkTo, Pager, ProjectLink, pathTo, queueTitle, Tabs } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

const toQueue = ({ params: { queue = '' } }: SubmittedForm): FormResult => ({ goTo: pathTo('queue', queue) })

const jobForms: NonNullable<DashboardPage['forms']> = {
  retry_job: toQueue,
  promote_job: toQueue,
  discard_job: toQueue,
  retry_failed: (form) => ({
    goTo: pathTo('queue', form.params.queue ?? ''),
    count: (form.reply.body as BulkResponse).count,
  }),
  discard_jobs: ({ params: { queue = '' }, input: { state = '' }, reply }) => {
    const { dryRun, count, more } = reply.body as BulkResponse
    if (!dryRun) return { goTo: pathTo('queue', queue), count }
    return {
      title: 'Discard?',
      heading: `Discard ${counted(count, `${state} job`)} of “${queueTitle(queue)}”?`,
      body: (
        <>
          <p>They will not run. {more && 'There are more: only so many are discarded at once.'}</p>
          <div class="actions">
            <ActionForm
              route="discard_jobs"
              params={{ queue }}
              input={{ state, dry_run: 'false' }}
              button={`Discard ${count}`}
              tone="danger"
              why
            />
            <a href={linkTo(pathTo('queue', queue), { state })}>Cancel</a>
          </div>
        </>
      ),
    }
  },
}

const queues: Column<QueueStatus>[] = [
  plain('Queue', ({ queue, paused }) => (
    <>
      {queueTitle(queue)} {paused && <Badge tone="warn">paused</Badge>}
    </>
  )),
  ...jobStates.map((state) =>
    column(state.slice(0, 1).toUpperCase() + state.slice(1), ({ queue, counts }: QueueStatus) => (
      <a class={`count ${counts[state] === 0 ? 'zero' : state}`} href={linkTo(pathTo('queue', queue), { state })}>
        {counts[state]}
      </a>
    )),
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

/** Goes to the project's page, or to the queue. */
function toPaused({ input: { project }, reply }: SubmittedForm): FormResult {
  const { enqueued = 0 } = reply.body as { enqueued?: number }
  return { goTo: project === undefined ? '/queue' : pathTo('projects', project), count: enqueued }
}

export const queuePage: DashboardPage = {
  path: '/queue',
  nav: 'Jobs',
  forms: { pause: toPaused, resume: toPaused, ...jobForms },
  async show({ api }) {
    const queue = await api<QueueResponse>('show_queue')
    const failed: JobSummary[] = []
    for (const { queue: name } of queue.queues.filter(({ counts }) => counts.failed !== 0))
      failed.push(...(await api<{ items: JobSummary[] }>('list_jobs', { queue: name, limit: mostFailed })).items)
    const isPaused = queue.queues.some((each) => each.paused)
    return {
      title: 'Jobs',
      body: (
        <>
          {isPaused && (
            <p class="notice">
              Everything is paused: no jobs start. Deliveries are still accepted, up to the queue’s capacity.
            </p>
          )}
          <List of="Queues" items={queue.queues} columns={queues} none="" />
          <Part title="Failed jobs">
            <List
              of="Failed jobs"
              items={failed}
              columns={jobColumns}
              none="None. Jobs whose retries are used up are shown here, with the reason."
            />
          </Part>
          <Part title="Pause">
            {queue.pausedProjects.length > 0 && (
              <List of="Paused projects" items={queue.pausedProjects} columns={paused} none="" />
            )}
            <div class="actions">
              {isPaused ? (
                <ActionForm route="resume" button="Resume everything" tone="main" />
              ) : (
                <ActionForm route="pause" button="Pause everything" tone="danger" why />
              )}
            </div>
            <ActionForm route="pause" button="Pause project" why>
              <input
                name="project"
                size={16}
                required
                spellcheck={false}
                autocapitalize="none"
                aria-label="Project"
                placeholder="group/app, or an id"
              />
            </ActionForm>
          </Part>
        </>
      ),
    }
  },
}

const pageSize = 50

export const queueJobsPage: DashboardPage = {
  path: '/queue/{queue}',
  async show({ params, query, api }) {
    const { queue = '' } = params
    const { state = 'failed', from = '0' } = query
    const jobs = { ...query, ...params, state, limit: pageSize }
    const { items } = await api<{ items: JobSummary[] }>('list_jobs', jobs)
    const to = (each: object) => linkTo(pathTo('queue', queue), { state, ...each })
    const discard = { state, dry_run: 'true' }
    return {
      title: `Jobs: ${queueTitle(queue)}`,
      heading: (
        <>
          <a href="/admin/queue">Jobs</a>: {queueTitle(queue)}
        </>
      ),
      body: (
        <>
          <Tabs
            label="State"
            tabs={jobStates.map((name) => ({ name, href: to({ state: name }), isShown: name === state }))}
          />
          {items.length > 0 && state !== 'active' && (
            <div class="actions">
              {state === 'failed' && (
                <ActionForm route="retry_failed" params={{ queue }} button="Retry all" tone="main" />
              )}
              <ActionForm
                route="discard_jobs"
                params={{ queue }}
                input={discard}
                button="Discard all …"
                tone="danger"
              />
            </div>
          )}
          <List of="Jobs" items={items} columns={jobColumns} none={`No ${state} jobs.`} />
          <Pager to={{ Older: items.length === pageSize ? to({ from: Number(from) + pageSize }) : undefined }} />
        </>
      ),
    }
  },
}
