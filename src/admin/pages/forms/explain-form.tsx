// The form to explain a merge request or an issue, with what-if overrides.
import type { NamedRef } from '../../../rules/facts/definition/subject-ref.ts'
import { ActionForm } from './action-form.tsx'

export function ExplainForm({
  of: { project, iid = 0, subject },
  overrides = [],
}: {
  of: NamedRef
  overrides?: readonly string[]
}) {
  const route = subject === 'issue' ? 'explain_issue' : 'explain'
  return (
    <ActionForm route={route} params={{ project, iid }} button="Explain now" tone="main">
      <div class="field grow">
        <OverridesField value={overrides.join('\n')} subject={subject} />
      </div>
    </ActionForm>
  )
}

/** The field for what-if overrides. */
export function OverridesField({ value, subject }: { value: string; subject?: string }) {
  return (
    <>
      <label for="overrides">What if (optional, one fact a line)</label>
      <textarea
        id="overrides"
        name="overrides"
        rows={2}
        spellcheck={false}
        placeholder={`${subject === 'issue' ? 'state=closed' : 'pipeline=success'}\nlabels+=ready`}
        value={value}
      />
    </>
  )
}
