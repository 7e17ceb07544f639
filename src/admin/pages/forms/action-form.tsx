// A button with the form of one POST operation; hidden if the token lacks its scope.
import type { ComponentChildren } from 'preact'
import type { NamedRef } from '../../../rules/explain/ref-name.ts'
import { pathOf } from '../../api/route.ts'
import { routeNamed } from '../../api/routes/index.ts'
import { useViewer } from '../parts/time.tsx'

interface ActionFormProps {
  /** The operation's name. */
  route: string
  params?: Record<string, string | number>
  input?: Record<string, string | number>
  button: string
  /** Has a field for the reason, for the audit log. */
  why?: true
  tone?: 'main' | 'danger'
  children?: ComponentChildren
}

export function ActionForm({ route: name, params = {}, input = {}, button, why, tone, children }: ActionFormProps) {
  const { session } = useViewer()
  const route = routeNamed(name)
  if (!session.scopes.includes(route.scope)) return null
  return (
    <form class="action" method="post" action={`/admin${pathOf(route, params)}`}>
      <CsrfField />
      {Object.entries(input).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {children}
      {why && (
        <input
          name="why"
          type="text"
          maxLength={500}
          aria-label="Reason, for the audit log"
          placeholder="Reason (for the audit log)"
        />
      )}
      <button type="submit" class={tone}>
        {button}
      </button>
    </form>
  )
}

export function CsrfField() {
  return <input type="hidden" name="csrf" value={useViewer().session.csrf} />
}

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
