// The form to explain a merge request, with what-if overrides.
import { ActionForm } from './action-form.tsx'
import { OverridesField } from './overrides-field.tsx'

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
        <OverridesField value={overrides.join('\n')} />
      </div>
    </ActionForm>
  )
}
