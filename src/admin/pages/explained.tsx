// What would be decided about a merge request now: shown as the answer to the form on its page.
import type { ExplainAnswer } from '../routes/explain.ts'
import type { Sent, View } from './page.ts'
import { DecisionView } from './parts/decision-view.tsx'
import { ExplainForm } from './parts/explain-form.tsx'
import { MergeRequestLink } from './parts/merge-request-link.tsx'

export function explained({ reply: { body } }: Sent): View {
  const { mergeRequest, suppose, decision, reason } = body as ExplainAnswer
  const { project, iid } = mergeRequest
  return {
    title: `${project}!${iid}, explained`,
    body: (
      <>
        <h1>
          What would be decided about <MergeRequestLink of={mergeRequest} /> now
        </h1>
        <p class="dim">Nothing was sent, and nothing is kept of it.</p>
        {suppose.length > 0 && (
          <p class="notice">Supposed: {suppose.join(' · ')}. Only that is supposed: all else is as the service says.</p>
        )}
        <ExplainForm project={project} iid={iid} suppose={suppose} />
        {decision === undefined ? (
          <p class="problem">It cannot be judged at the moment: {reason}</p>
        ) : (
          <DecisionView of={decision} made={false} />
        )}
      </>
    ),
  }
}
