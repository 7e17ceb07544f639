// A project: its hook, rules, failures, merge requests and issues with newest decisions; pause, resume.
import type { DecisionRecord, JournalPage as ListPage } from '../../journal/types.ts'
import { patternLimitIn } from '../../rules/engine/conditions/evaluate-rules.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import type { FailedJobsResponse } from '../api/jobs.ts'
import type { ProjectResponse } from '../api/routes/projects.ts'
import { neverMatched, type RulesResponse } from '../api/routes/rules.ts'
import { type DashboardPage, orUndefined } from './definition/page.ts'
import { ActionForm } from './forms/action-form.tsx'
import { decisionColumns, FailedJobs, List, Part } from './lists/list.tsx'
import { Badge, HookBadge } from './parts/badge.tsx'
import { DetailsList } from './parts/details-list.tsx'
import { linkTo, pathTo, ServiceLink, wordFor } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

/** Few, because each decision has the traces of all rules. */
const decisionsRead = 100

export const projectPage: DashboardPage = {
  path: '/projects/{project}',
  async show({ params, api }) {
    const { project = '' } = params
    const known = await api<ProjectResponse>('show_project', params)
    const rules = await orUndefined(api<RulesResponse>('show_rules', params))
    const failed = await api<FailedJobsResponse>('list_failed_jobs', { project })
    const decided = await api<ListPage<DecisionRecord>>('list_decisions', { project, limit: decisionsRead })
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
              Rules: <Rules of={rules} project={project} />,
            }}
          />
          <div class="actions">
            {paused === null ? (
              <ActionForm route="pause" input={{ project }} button="Pause this project" why />
            ) : (
              <ActionForm route="resume" input={{ project }} button="Resume this project" tone="main" />
            )}
          </div>
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

function Rules({ of, project }: { of: RulesResponse | undefined; project: string }) {
  if (of === undefined) return <>not read yet</>
  const all = of.files.flatMap(({ rules }) => rules)
  const never = all.filter(neverMatched).length
  return (
    <>
      {of.problems.length > 0 && <Badge tone="bad">broken</Badge>}{' '}
      <a href={linkTo(pathTo('rules', project))}>{all.length} in force</a>
      {never > 0 && `, ${never} of them never matched`}
      {of.mode !== 'act' && `; mode ${of.mode}`}
    </>
  )
}

/** Merge requests and issues whose rules are unknown because their patterns take too long to match. */
function PatternLimits({ of }: { of: readonly DecisionRecord[] }) {
  const limited = of.filter((each) => patternLimitIn(each) !== undefined)
  const [newest] = limited
  if (newest === undefined) return null
  return (
    <p class="problem">
      The rules of {subjectsIn(limited)} are unknown. {patternLimitIn(newest)} Use fewer or simpler patterns.{' '}
      <a href={linkTo(pathTo('decisions', newest.id))}>Show the newest decision</a>
    </p>
  )
}

/** `one issue`, `2 merge requests`, `3 merge requests and issues`. */
function subjectsIn(decisions: readonly DecisionRecord[]): string {
  const words = [...new Set(decisions.map(({ mergeRequest }) => wordFor(mergeRequest).toLowerCase()))]
  if (decisions.length === 1) return `one ${words.join()}`
  return `${decisions.length} ${words.map((word) => `${word}s`).join(' and ')}`
}

/** `decisions` are newest first. */
function newestOfEach(decisions: readonly DecisionRecord[]): DecisionRecord[] {
  const seen = new Map<string, DecisionRecord>()
  for (const each of decisions) {
    const name = refName(each.mergeRequest)
    if (!seen.has(name)) seen.set(name, each)
  }
  return [...seen.values()]
}
