// The queue: how much is in each lane and state, what failed, and what is paused.
import type { LaneAnswer, QueueAnswer } from '../routes/queue.ts'
import { type JobAnswer, jobStates } from '../shown-jobs.ts'
import { jobForms } from './job-forms.tsx'
import type { After, Page, Sent } from './page.ts'
import { ActionForm } from './parts/action-form.tsx'
import { Badge } from './parts/badge.tsx'
import { jobColumns } from './parts/job-columns.tsx'
import { linkTo, pathTo } from './parts/links.ts'
import { type Column, List } from './parts/list.tsx'
import { ProjectLink } from './parts/project-link.tsx'
import { sayLane } from './parts/say-lane.ts'
import { Time } from './parts/time.tsx'

const lanes: Column<LaneAnswer>[] = [
  {
    head: 'Lane',
    cell: ({ lane, paused }) => (
      <>
        {sayLane(lane)} {paused && <Badge tone="warn">paused</Badge>}
      </>
    ),
  },
  ...jobStates.map((state) => ({
    head: state.slice(0, 1).toUpperCase() + state.slice(1),
    cell: ({ lane, counts }: LaneAnswer) => (
      <a class={`count ${counts[state] === 0 ? 'zero' : state}`} href={linkTo(pathTo('queue', lane), { state })}>
        {counts[state]}
      </a>
    ),
  })),
]

type Paused = QueueAnswer['pausedProjects'][number]

const paused: Column<Paused>[] = [
  { head: 'Project', cell: (each) => <ProjectLink of={each} /> },
  { head: 'Since', cell: ({ at }) => <Time at={at} /> },
  { head: 'By', cell: ({ by }) => by },
  { head: 'Why', wide: true, cell: ({ why }) => why },
  { head: 'Do', cell: ({ project }) => <ActionForm route="resume" input={{ project }} button="Resume" /> },
]

const MOST = 10

/** Of a project on its page, where there is the way back. */
function toPaused({ input: { project }, reply }: Sent): After {
  const { woken = 0 } = reply.body as { woken?: number }
  return { goTo: project === undefined ? '/queue' : pathTo('projects', project), count: woken }
}

export const queuePage: Page = {
  path: '/queue',
  nav: 'Queue',
  forms: { pause: toPaused, resume: toPaused, ...jobForms },
  async show({ ask }) {
    const queue = await ask<QueueAnswer>('show_queue')
    const failed: JobAnswer[] = []
    for (const lane of queue.lanes.filter(({ counts }) => counts.failed !== 0))
      failed.push(
        ...(await ask<{ items: JobAnswer[] }>('list_jobs', { params: { lane: lane.lane }, input: { state: 'failed', limit: MOST } })).items,
      )
    const isPaused = queue.lanes.some((each) => each.paused)
    return {
      title: 'Queue',
      body: (
        <>
          <h1>Queue</h1>
          {isPaused && <p class="notice">Paused: no more jobs are begun. Deliveries are still taken, up to the backlog.</p>}
          <List of="Lanes" items={queue.lanes} columns={lanes} none="" />
          <section class="part">
            <h2>Failed jobs</h2>
            <List
              of="Failed jobs"
              items={failed}
              columns={jobColumns}
              none="None. A job that fails for good is shown here, with its reason."
            />
          </section>
          <section class="part">
            <h2>Pausing</h2>
            {queue.pausedProjects.length > 0 && <List of="Paused projects" items={queue.pausedProjects} columns={paused} none="" />}
            <div class="actions">
              {isPaused ? (
                <ActionForm route="resume" button="Resume everything" tone="main" />
              ) : (
                <ActionForm route="pause" button="Pause everything" tone="danger" why />
              )}
            </div>
            <ActionForm route="pause" button="Pause this project" why>
              <input name="project" inputMode="numeric" pattern="[0-9]+" size={8} required aria-label="Project" placeholder="Project id" />
            </ActionForm>
          </section>
        </>
      ),
    }
  },
}
