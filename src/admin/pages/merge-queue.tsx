// One merge queue: its builds as a chain, what waits, was removed and merged; pause, resume, remove, move to the front.
import { words } from '../../rules/explain/explain.ts'
import type { MergeQueueResponse } from '../api/merge-queue-responses.ts'
import type { DashboardPage, FormResult, SubmittedForm } from './definition/page.ts'
import { ActionForm } from './forms/action-form.tsx'
import { type Column, column, List, Part, plain } from './lists/list.tsx'
import { QueueState } from './lists/merge-queues.tsx'
import { Badge, type Tone } from './parts/badge.tsx'
import { CommaList, DetailsList } from './parts/details-list.tsx'
import { MergeRequestLink, ProjectLink, pathTo } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

const mostShown = 100

type Build = MergeQueueResponse['builds'][number]
type Waiting = MergeQueueResponse['waiting'][number]
type Removed = MergeQueueResponse['removed'][number]
type Landed = MergeQueueResponse['landed'][number]
type Params = Record<string, string | number>

const stateTones: Record<Build['state'] | Build['attempts'][number]['state'], Tone> = {
  preparing: 'idle',
  testing: 'info',
  landing: 'good',
  failed: 'bad',
  pipeline_failed: 'bad',
  pipeline_skipped: 'bad',
  pipeline_timeout: 'bad',
}

const toQueue = ({ params: { project = '', target = '' } }: SubmittedForm): FormResult => ({
  goTo: pathTo('merge-queues', project, target),
})

const toProject = ({ params: { project = '' } }: SubmittedForm): FormResult => ({ goTo: pathTo('projects', project) })

export const mergeQueuePage: DashboardPage = {
  path: '/merge-queues/{project}/{target}',
  forms: {
    pause_merge_queue: toQueue,
    resume_merge_queue: toQueue,
    remove_merge_queue_entry: toQueue,
    move_merge_queue_entry: toQueue,
    freeze: toProject,
    end_freeze: toProject,
  },
  async show({ params, api }) {
    const queue = await api<MergeQueueResponse>('show_merge_queue', params)
    const { target, paused, freeze, landing, builds, waiting, removed, landed } = queue
    return {
      title: `Merge queue: ${target}`,
      body: (
        <>
          {paused !== null && (
            <p class="notice">
              Paused <Time at={paused.since} />: {paused.text}. Nothing is merged until somebody resumes it; everything
              is then built anew.
            </p>
          )}
          {freeze !== null && (
            <p class="notice">
              Frozen until <Time at={freeze.until} /> by {freeze.by}
              {freeze.reason !== undefined && `: ${freeze.reason}`}. Nothing is merged in the project
              {freeze.except.length > 0 && `, but what has a label of ${freeze.except.join(', ')}`}; tests go on.
            </p>
          )}
          <DetailsList
            of={{
              Project: <ProjectLink of={queue} />,
              'Name in the rules': queue.name,
              State: <QueueState of={queue} />,
              Builds: `${builds.length} of at most ${queue.window} at once`,
              'Merging now': landing && (
                <>
                  <MergeRequests of={landing.members} /> <Time at={landing.since} />
                </>
              ),
              'Last merge': queue.lastLanding === undefined ? 'none' : <Time at={queue.lastLanding} />,
            }}
          />
          <div class="actions">
            {paused === null ? (
              <ActionForm route="pause_merge_queue" params={params} button="Pause" tone="danger" why />
            ) : (
              <ActionForm route="resume_merge_queue" params={params} button="Resume" tone="main" why />
            )}
            <FreezeForm project={queue.project} isFrozen={freeze !== null} />
          </div>
          <Part title="Builds">
            <Chain of={builds} target={target} params={params} />
          </Part>
          <Part title="Waiting">
            <List
              of="Waiting merge requests, the next first"
              items={waiting.slice(0, mostShown)}
              columns={waitingColumns(params)}
              none="No merge request waits."
            />
            {waiting.length > mostShown && <p class="dim">And {waiting.length - mostShown} more.</p>}
          </Part>
          <Part title="Removed">
            <List of="Removed merge requests" items={removed} columns={removedColumns} none="None was removed." />
          </Part>
          <Part title="Merged">
            <List of="Merged" items={landed} columns={landedColumns} none="Nothing was merged yet." />
          </Part>
        </>
      ),
    }
  },
}

/** Of the whole project. */
function FreezeForm({ project, isFrozen }: { project: number; isFrozen: boolean }) {
  if (isFrozen) return <ActionForm route="end_freeze" params={{ project }} button="End the freeze" tone="main" why />
  const field = (name: string, example: string, required = false) => (
    <input name={name} type="text" aria-label={example} placeholder={example} required={required} />
  )
  return (
    <ActionForm route="freeze" params={{ project }} button="Freeze the project" tone="danger">
      {field('until', 'Until, such as 2h', true)}
      {field('reason', 'Reason, for notes')}
      {field('except', 'Labels that merge')}
    </ActionForm>
  )
}

/** Each build is tested on top of the one before it. */
function Chain({ of, target, params }: { of: readonly Build[]; target: string; params: Params }) {
  if (of.length === 0) return <p class="none">Nothing is tested.</p>
  return (
    <ol class="chain" aria-label="Builds, each on top of the one before it">
      <li class="column">
        <strong>{target}</strong>
        <span class="dim">{of[0]?.base?.slice(0, 12) ?? 'the target branch'}</span>
      </li>
      {of.map((build, index) => (
        <li class="column" key={index}>
          <span>
            <Badge tone={stateTones[build.state]}>{build.state === 'landing' ? 'merging' : words(build.state)}</Badge>{' '}
            <span class="dim">{build.eta && `Expected: ${build.eta.text}`}</span>
          </span>
          {build.members.map((member) => (
            <div class="actions" key={member.iid}>
              <MergeRequestLink of={member} />
              <RemoveForm of={member} params={params} />
            </div>
          ))}
          <Attempts of={build.attempts} />
        </li>
      ))}
    </ol>
  )
}

function RemoveForm({ of: { iid }, params }: { of: { iid: number }; params: Params }) {
  const route = 'remove_merge_queue_entry'
  return <ActionForm route={route} params={params} input={{ iid }} button={`Remove !${iid}`} tone="danger" />
}

function Attempts({ of }: { of: Build['attempts'] }) {
  return (
    <ul class="plain-list dim">
      {of.map(({ number, state, since, commit, link }) => (
        <li key={number}>
          Branch {number}: {words(state)} {since !== undefined && <Time at={since} />} <PipelineLink of={link} />{' '}
          {commit !== undefined && <span class="id">{commit.slice(0, 12)}</span>}
        </li>
      ))}
    </ul>
  )
}

function PipelineLink({ of }: { of: string | undefined }) {
  return of !== undefined && /^https?:\/\//.test(of) ? <a href={of}>pipeline</a> : null
}

function MergeRequests({ of }: { of: Landed['members'] }) {
  return <CommaList of={of} most={10} each={(member) => <MergeRequestLink of={member} />} />
}

const waitingColumns = (params: Params): Column<Waiting>[] => [
  column('Position', ({ position }) => position),
  plain('Merge request', (each) => <MergeRequestLink of={each} />, 'name'),
  column('Since', ({ since }) => <Time at={since} />),
  column('Priority', ({ priority }) => priority),
  column('Expected', ({ eta }) => eta?.text ?? 'unknown'),
  column('Waiting for', ({ waitsFor }) => waitsFor, 'wide'),
  plain('Actions', ({ iid }) => (
    <div class="actions">
      <ActionForm route="move_merge_queue_entry" params={params} input={{ iid }} button={`!${iid} to the front`} />
      <RemoveForm of={{ iid }} params={params} />
    </div>
  )),
]

const removedColumns: Column<Removed>[] = [
  plain('Merge request', (each) => <MergeRequestLink of={each} />),
  column('Time', ({ at }) => <Time at={at} />),
  plain('Reason', ({ text }) => text, 'wide'),
  plain('Pipeline', ({ link }) => <PipelineLink of={link} />),
]

const landedColumns: Column<Landed>[] = [
  plain('Merged', ({ at }) => <Time at={at} />),
  plain('Merge requests', ({ members }) => <MergeRequests of={members} />, 'wide'),
  column('Tested commit', ({ commit }) => <span class="id">{commit.slice(0, 12)}</span>),
]
