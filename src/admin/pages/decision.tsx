// One decision: why it was so, what was called, what led to it, and its replays.
import type { DecisionRecord } from '../../journal/types.ts'
import type { DecisionAnswer } from '../routes/decisions.ts'
import type { Page } from './page.ts'
import { decisionColumns } from './parts/decision-columns.tsx'
import { DecisionView } from './parts/decision-view.tsx'
import { Facts, Several } from './parts/facts.tsx'
import { FileVersion } from './parts/file-version.tsx'
import { linkTo, pathTo } from './parts/links.ts'
import { MergeRequestLink } from './parts/merge-request-link.tsx'
import { Replays } from './parts/replays.tsx'
import { sayMs, Time } from './parts/time.tsx'
import { afterReplay, ReplayButtons } from './replays.tsx'

const outcome = decisionColumns.find(({ head }) => head === 'Came of it')

export const decisionPage: Page = {
  path: '/decisions/{id}',
  forms: { replay_decision: afterReplay('replay_decision') },
  async show({ params, ask }) {
    const decision = await ask<DecisionAnswer>('show_decision', { params })
    const { id, mergeRequest, at, tookMs, head, files, evaluation, from, replayOf = [], replays, settled } = decision
    return {
      title: `Decision on ${mergeRequest.project}!${mergeRequest.iid}`,
      body: (
        <>
          <h1>
            Decision on <MergeRequestLink of={mergeRequest} />
          </h1>
          <Facts
            of={{
              'Came of it': outcome?.cell(decision),
              Decided: <Time at={at} />,
              Took: sayMs(tookMs),
              Head: head === null ? 'not read' : <span class="id">{head.slice(0, 12)}</span>,
              'Judged by': files.length === 0 ? 'no rules' : <Several of={files} most={20} each={(each) => <RuleFile of={each} />} />,
              'Because of':
                from.length === 0 ? undefined : (
                  <Several
                    of={from}
                    most={20}
                    each={(each) => <a href={linkTo(pathTo('deliveries', each.id))}>{each.event?.kind ?? each.header}</a>}
                  />
                ),
              'As a replay of':
                replayOf.length === 0 ? undefined : (
                  <Several
                    of={replayOf}
                    each={(each) => (
                      <a href={linkTo(pathTo(each.of === 'delivery' ? 'deliveries' : 'decisions', each.id))}>
                        {each.of}, the {each.number}. time
                      </a>
                    )}
                  />
                ),
              Evaluation: evaluation && (
                <a class="id" href={linkTo('/decisions', { evaluation })}>
                  {evaluation.slice(0, 8)}
                </a>
              ),
              Replayed: replays.length > 0 ? <Replays of={replays} /> : undefined,
              Decision: <span class="id">{id}</span>,
            }}
          />
          <ReplayButtons route="replay_decision" id={id} />
          {settled !== undefined && (
            <p class="notice">
              A call whose answer was lost ({settled.call.action}): {settled.detail}
            </p>
          )}
          <DecisionView of={decision} made={true} />
        </>
      ),
    }
  },
}

function RuleFile({ of: file }: { of: DecisionRecord['files'][number] }) {
  return (
    <span>
      <span class="id">{file.path}</span> <FileVersion of={file} />
    </span>
  )
}
