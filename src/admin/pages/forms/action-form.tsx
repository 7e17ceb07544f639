// A button with the form of one POST operation; hidden if the token lacks its scope.
import type { ComponentChildren } from 'preact'
import { pathOf } from '../../api/route.ts'
import { routeNamed } from '../../api/routes/index.ts'
import { useViewer } from '../parts/viewer.ts'

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
