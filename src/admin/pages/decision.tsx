// Decisions, the newest first; and one of them: its result, its trigger, its calls, and why.
import type { DecisionRecord } from '../../journal/types.ts'
import { decisionOutcomes } from '../../rules/explain/decision-outcome.ts'
import { fullRefName } from '../../rules/facts/definition/subject-ref.ts'
import type { DecisionResponse } from '../api/routes/decisions.ts'
import { DecisionView } from './decisions/decision-view.tsx'
import { listPage } from './definition/list-page.tsx'
import type { DashboardPage } from './definition/page.ts'
import { byTime, ofProject } from './forms/action-form.tsx'
import { decisionColumns, Outcome } from './lists/list.tsx'
import { FileVersion } from './lists/project-rules.tsx'
import { afterReplay, ReplayButtons, Replays } from './operations/replay-forms.tsx'
import { CommaList, DetailsList } from './parts/details-list.tsx'
import { linkTo, MergeRequestLink, pathTo, ServiceLink } from './parts/links.tsx'
import { formatMs, Time } from './parts/time.tsx'

export const decisionsPage = listPage<DecisionRecord>({
  title: 'Decisions',
  path: '/decisions',
  operation: 'list_decisions',
  columns: decisionColumns,
  fields: [
    ofProject,
    { name: 'outcome', label: 'Result', type: decisionOutcomes },
    { name: 'rule', label: 'Matched rule', type: 'text' },
    { name: 'delivery', label: 'Delivery', type: 'text' },
    ...byTime,
  ],
  none: 'No decisions yet. Open a merge request in a project that has rules.',
})

export const decisionPage: DashboardPage = {
  path: '/decisions/{id}',
  forms: { replay_decision: afterReplay('replay_decision') },
  async show({ params, api }) {
    const decision = await api<DecisionResponse>('show_decision', params)
    const { id, mergeRequest, at, tookMs, head, files, triggeredBy, replays, settled, author } = decision
    return {
      title: `Decision on ${fullRefName(mergeRequest)}`,
      heading: (
        <>
          Decision on <MergeRequestLink of={mergeRequest} />
        </>
      ),
      body: (
        <>
          <p class="badges">
            {author !== undefined && <span>By {author}</span>}
            <ServiceLink of={mergeRequest} />
          </p>
          <DetailsList
            of={{
              Result: <Outcome of={decision} />,
              Time: <Time at={at} />,
              Duration: formatMs(tookMs),
              Head: head === null ? 'unknown' : <span class="id">{head.slice(0, 12)}</span>,
              'Rule files':
                files.length === 0 ? (
                  'none'
                ) : (
                  <CommaList
                    of={files}
                    most={20}
                    each={(file) => (
                      <span>
                        <span class="id">{file.path}</span> <FileVersion of={file} />
                      </span>
                    )}
                  />
                ),
              'Triggered by': triggeredBy.length > 0 && (
                <CommaList
                  of={triggeredBy}
                  most={20}
                  each={(each) => <a href={linkTo(pathTo('deliveries', each.id))}>{each.event?.kind ?? each.header}</a>}
                />
              ),
              'Replay of': decision.replayOf?.length && (
                <CommaList
                  of={decision.replayOf}
                  each={({ of, id: replayed, number, stored }) => {
                    const name = `${of}, replay ${number}`
                    const to = linkTo(pathTo(of === 'delivery' ? 'deliveries' : 'decisions', replayed))
                    return stored ? <a href={to}>{name}</a> : name
                  }}
                />
              ),
              Replayed: replays.length > 0 && <Replays of={replays} />,
              Decision: <span class="id">{id}</span>,
            }}
          />
          <ReplayButtons route="replay_decision" id={id} />
          {settled !== undefined && (
            <p class="notice">
              The response to an earlier call was lost ({settled.call.action}): {settled.detail}
            </p>
          )}
          <DecisionView of={decision} on={mergeRequest} made={true} />
        </>
      ),
    }
  },
}
