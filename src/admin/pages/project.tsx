// One project: how its hook and its rules are, what failed, its merge requests with their newest decisions, and its newest deliveries; pause and resume.
import type { DecisionRecord, DeliveryRecord, Page as ListPage } from '../../journal/types.ts'
import { patternLimitIn } from '../../rules/pattern-limit.ts'
import type { ProjectAnswer } from '../routes/projects.ts'
import { neverHeld, type RulesAnswer } from '../routes/rules.ts'
import type { FailedJobsAnswer } from '../shown-jobs.ts'
import { ifThere, type Page } from './page.ts'
import { ActionForm } from './parts/action-form.tsx'
import { Badge, HookBadge } from './parts/badge.tsx'
import { decisionColumns } from './parts/decision-columns.tsx'
import { deliveryColumns } from './parts/delivery-columns.tsx'
import { Facts } from './parts/facts.tsx'
import { FailedJobs } from './parts/failed-jobs.tsx'
import { linkTo, pathTo } from './parts/links.ts'
import { List } from './parts/list.tsx'
import { Time } from './parts/time.tsx'

/** Each holds the traces of all rules. */
const decisionsLookedAt = 100
const deliveriesShown = 10

export const projectPage: Page = {
  path: '/projects/{project}',
  async show({ params, ask }) {
    const { project = '' } = params
    const known = await ask<ProjectAnswer>('show_project', { params })
    const rules = await ifThere(ask<RulesAnswer>('show_rules', { params }))
    const failed = await ask<FailedJobsAnswer>('list_failed_jobs', { input: { project } })
    const decided = await ask<ListPage<DecisionRecord>>('list_decisions', { input: { project, limit: decisionsLookedAt } })
    const delivered = await ask<ListPage<DeliveryRecord>>('list_deliveries', { input: { project, limit: deliveriesShown } })
    const { path, hook, paused, lastDelivery } = known
    return {
      title: path,
      body: (
        <>
          <h1>{path}</h1>
          {paused !== null && (
            <p class="notice">
              Paused <Time at={paused.at} /> by {paused.by}
              {paused.why !== undefined && `: ${paused.why}`}. Its deliveries are read and its events kept; what was held back is judged
              when it is resumed.
            </p>
          )}
          <PatternLimits of={newestOfEach(decided.items)} />
          <FailedJobs of={failed} />
          <Facts
            of={{
              Project: <span class="id">{project}</span>,
              'Last delivery': lastDelivery === undefined ? 'none' : <Time at={lastDelivery} />,
              Deliveries: `${known.deliveries}, of which ${known.unread} could not be read or were refused`,
              Decisions: known.decisions,
              Calls: (
                <>
                  {known.done} done,{' '}
                  <a href={linkTo('/decisions', { project, outcome: 'failed' })}>{known.failed} refused or of unknown effect</a>
                </>
              ),
              Hook:
                hook === null ? (
                  'not asked: BELLHOP_URL is not set'
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
          <section class="part">
            <h2>Merge requests</h2>
            <List
              of="Merge requests, each with its newest decision"
              items={newestOfEach(decided.items)}
              columns={decisionColumns}
              none="Nothing was decided about any."
            />
            <p>
              <a href={linkTo('/decisions', { project })}>All decisions</a>
              {decided.next !== undefined && <span class="dim"> Shown are the merge requests of the newest {decisionsLookedAt}.</span>}
            </p>
          </section>
          <section class="part">
            <h2>Newest deliveries</h2>
            <List of="Newest deliveries" items={delivered.items} columns={deliveryColumns} none="None came in." />
            <p>
              <a href={linkTo('/deliveries', { project })}>All deliveries</a>
            </p>
          </section>
        </>
      ),
    }
  },
}

function Rules({ of, project }: { of: RulesAnswer | undefined; project: string }) {
  if (of === undefined) return <>none were read yet</>
  const all = of.files.flatMap(({ rules }) => rules)
  const never = all.filter(neverHeld).length
  return (
    <>
      {of.problems.length > 0 && <Badge tone="bad">broken</Badge>} <a href={linkTo(pathTo('rules', project))}>{all.length} in force</a>
      {never > 0 && `, of which ${never} never held`}
      {of.mode !== 'act' && `; mode ${of.mode}`}
    </>
  )
}

/** Merge requests whose rules are unknown, because matching their patterns takes too much. */
function PatternLimits({ of }: { of: readonly DecisionRecord[] }) {
  const limited = of.filter((each) => patternLimitIn(each) !== undefined)
  const [newest] = limited
  if (newest === undefined) return null
  return (
    <p class="problem">
      {limited.length === 1 ? 'The rules of one merge request are' : `The rules of ${limited.length} merge requests are`} unknown.{' '}
      {patternLimitIn(newest)} Make the patterns fewer or smaller.{' '}
      <a href={linkTo(pathTo('decisions', newest.id))}>Show the newest decision</a>
    </p>
  )
}

/** They come newest first. */
function newestOfEach(decisions: readonly DecisionRecord[]): DecisionRecord[] {
  const seen = new Map<number, DecisionRecord>()
  for (const each of decisions) if (!seen.has(each.mergeRequest.iid)) seen.set(each.mergeRequest.iid, each)
  return [...seen.values()]
}
