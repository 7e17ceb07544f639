// Asks what would be decided about a merge request now, and what if something were otherwise.
import { ActionForm } from './action-form.tsx'

export function ExplainForm({
  project,
  iid,
  suppose = [],
}: {
  project: string | number
  iid: string | number
  suppose?: readonly string[]
}) {
  return (
    <ActionForm route="explain" params={{ project, iid }} button="Explain now" tone="main">
      <div class="field grow">
        <label for="suppose">What if … (each in a line; may be left empty)</label>
        <textarea
          id="suppose"
          name="suppose"
          rows={2}
          spellcheck={false}
          placeholder={'pipeline=success\nlabels+=ready'}
          value={suppose.join('\n')}
        />
      </div>
    </ActionForm>
  )
}
