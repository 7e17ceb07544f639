// What would be decided about a merge request or an issue now: the response to the form on its page.
import { fullRefName } from '../../rules/facts/definition/subject-ref.ts'
import type { ExplainResponse } from '../api/routes/explain.ts'
import { DecisionView } from './decisions/decision-view.tsx'
import type { PageView, SubmittedForm } from './definition/page.ts'
import { ExplainForm } from './forms/explain-form.tsx'
import { MergeRequestLink } from './parts/links.tsx'

export function explanation({ reply: { body } }: SubmittedForm): PageView {
  const { mergeRequest, overrides, decision, reason } = body as ExplainResponse
  return {
    title: `Explanation of ${fullRefName(mergeRequest)}`,
    body: (
      <>
        <h1>
          What would be decided about <MergeRequestLink of={mergeRequest} /> now
        </h1>
        <p class="dim">Dry run: nothing was sent or stored.</p>
        {overrides.length > 0 && (
          <p class="notice">What if: {overrides.join(' · ')}. All other facts are as the service reports them.</p>
        )}
        <ExplainForm of={mergeRequest} overrides={overrides} />
        {decision === undefined ? (
          <p class="problem">It cannot be evaluated: {reason}</p>
        ) : (
          <DecisionView of={decision} on={mergeRequest} made={false} />
        )}
      </>
    ),
  }
}
