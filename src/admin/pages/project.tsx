// The projects; and one of them: its hook, rules, failures, merge queues, and newest decisions; pause, resume.
import type { DecisionRecord, JournalPage as ListPage } from '../../journal/types.ts'
import { patternLimitIn } from '../../rules/engine/conditions/evaluate-rules.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { count } from '../../rules/language/values/wording.ts'
import type { FailedJobsResponse } from '../api/jobs.ts'
import type { MergeQueuesResponse } from '../api/merge-queue-responses.ts'
import type { ProjectResponse } from '../api/routes/projects.ts'
import type { ProjectRulesSummary, RulesResponse } from '../api/routes/rules.ts'
import { listPage } from './definition/list-page.tsx'
import { type DashboardPage, orUndefined } from './definition/page.ts'
import { ActionForm } from './forms/action-form.tsx'
import { column, decisionColumns, decisionsRead, FailedJobs, List, newestOfEach, Part, plain } from './lists/list.tsx'
import { MergeQueues } from './lists/merge-queues.tsx'
import { RuleProblems, Rules } from './lists/project-rules.tsx'
import { Badge, HookBadge } from './parts/badge.tsx'
import { DetailsList } from './parts/details-list.tsx'
import { linkTo, ProjectLink, pathTo, ServiceLink } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

export const projectsPage = listPage<ProjectRulesSummary>({
  title: 'Projects',
  path: '/projects',
  operation: 'list_rules',
  columns: [
    plain('Project', (each) => <ProjectLink of={each} />),
    plain('Files', ({ problems }) =>
      problems.length > 0 ? <Badge tone="bad">broken</Badge> : <Badge tone="good">in force</Badge>,
    ),
    plain('Problem', ({ problems }) => problems[0], 'wide'),
    column('Rules', ({ rules }) => rules),
    column('Never matched', ({ neverMatched }) => neverMatched),
    column('Hook', ({ hook }) => hook && <HookBadge of={hook} />),
    column('Read', ({ readAt }) => <Time at={readAt} />),
  ],
  none: 'No project has sent a delivery yet. Register a hook: bellhop hooks install hotel/app',
  above: () => (
    <p>
      <a href={linkTo('/rules/try')}>Rule editor</a>
    </p>
  ),
})

export const projectPage: DashboardPage = {
  path: '/projects/{project}',
  async show({ params, api }) {
    const { project = '' } = params
    const known = await api<ProjectResponse>('show_project', params)
    const rules = await orUndefined(api<RulesResponse>('show_rules', params))
    const failed = await api<FailedJobsResponse>('list_failed_jobs', { project })
    const decided = await api<ListPage<DecisionRecord>>('list_decisions', { project, limit: decisionsRead })
    const queues = await api<MergeQueuesResponse>('list_merge_queues', { project })
    const { hook, paused, lastDelivery } = known
    const path = refName(known)
    const named = known.path ?? project
    return {
      title: path,
      body: (
        <>
          <p>
            <ServiceLink of={known} />
          </p>
          {paused !== null && (
            <p class="notice">
              Paused <Time at={paused.at} /> by {paused.by}
              {paused.why !== undefined && `: ${paused.why}`}. Its events are stored; what is held back is evaluated
              when you resume it.
            </p>
          )}
          {rules !== undefined && <RuleProblems of={rules} project={project} />}
          <PatternLimits of={newestOfEach(decided.items)} />
          <FailedJobs of={failed} />
          <DetailsList
            of={{
              'Project id': <span class="id">{known.project}</span>,
              'Last delivery': lastDelivery === undefined ? 'none' : <Time at={lastDelivery} />,
              Deliveries: (
                <>
                  <a href={linkTo('/deliveries', { project: named })}>{known.deliveries}</a>
                  {`, ${known.unread} of them unreadable or refused`}
                </>
              ),
              Decisions: known.decisions,
              Calls: (
                <>
                  {known.done} done,{' '}
                  <a href={linkTo('/decisions', { project: named, outcome: 'failed' })}>
                    {known.failed} failed or of unknown effect
                  </a>
                </>
              ),
              Hook:
                hook === null ? (
                  'not checked: BELLHOP_URL is not set'
                ) : (
                  <>
                    <HookBadge of={hook} /> {hook.details.join('; ')}
                  </>
                ),
            }}
          />
          <div class="actions">
            {paused === null ? (
              <ActionForm route="pause" input={{ project }} button="Pause this project" why />
            ) : (
              <ActionForm route="resume" input={{ project }} button="Resume this project" tone="main" />
            )}
          </div>
          <MergeQueues of={queues.items} />
          <Rules of={rules} project={project} />
          <Part title="Merge requests and issues">
            <List
              of="Merge requests and issues, each with its newest decision"
              items={newestOfEach(decided.items)}
              columns={decisionColumns}
              none="No decisions yet."
            />
            <p>
              <a href={linkTo('/decisions', { project: named })}>All decisions</a>
              {decided.next !== undefined && <span class="dim"> Shows those of the newest {decisionsRead}.</span>}
            </p>
          </Part>
        </>
      ),
    }
  },
}

/** Merge requests and issues whose rules are unknown because their patterns take too long to match. */
function PatternLimits({ of }: { of: readonly DecisionRecord[] }) {
  const limited = of.filter((each) => patternLimitIn(each) !== undefined)
  const [newest] = limited
  if (newest === undefined) return null
  return (
    <p class="problem">
      The rules of {count(limited.length, 'merge request or issue', 'merge requests and issues')} are unknown.{' '}
      {patternLimitIn(newest)} Use fewer or simpler patterns.{' '}
      <a href={linkTo(pathTo('decisions', newest.id))}>Show the newest decision</a>
    </p>
  )
}
