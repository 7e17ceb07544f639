// The form to explain a merge request, with what-if overrides.
import { ActionForm } from './action-form.tsx'

export function ExplainForm({
  project,
  iid,
  overrides = [],
}: {
  project: string | number
  iid: string | number
  overrides?: readonly string[]
}) {
  return (
    <ActionForm route="explain" params={{ project, iid }} button="Explain now" tone="main">
      <div class="field grow">
        <label for="overrides">What if (optional, one fact a line)</label>
        <textarea
          id="overrides"
          name="overrides"
          rows={2}
          spellcheck={false}
          placeholder={'pipeline=success\nlabels+=ready'}
          value={overrides.join('\n')}
        />
      </div>
    </ActionForm>
  )
}
