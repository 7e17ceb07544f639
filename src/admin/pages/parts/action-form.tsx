// A button that does something: the form of one POST of the admin API. Not shown to those whose token may not do it.
import type { ComponentChildren } from 'preact'
import { adminRoutes } from '../../routes/index.ts'
import { useViewer } from './viewer.ts'

export interface ActionFormProps {
  /** The route's name. */
  route: string
  params?: Record<string, string | number>
  input?: Record<string, string | number>
  button: string
  /** Asks for the reason, which the audit log keeps. */
  why?: true
  tone?: 'main' | 'danger'
  /** More fields. */
  children?: ComponentChildren
}

export function ActionForm({ route: name, params = {}, input = {}, button, why, tone, children }: ActionFormProps) {
  const { session } = useViewer()
  const route = adminRoutes.find((each) => each.name === name)
  if (route === undefined) throw new Error(`the admin API has no ${name}`)
  if (!session.scopes.includes(route.scope)) return null
  const path = route.path.replaceAll(/\{([a-z_]+)\}/g, (_, each) => encodeURIComponent(params[each] ?? ''))
  return (
    <form class="action" method="post" action={`/admin${path}`}>
      <HiddenFields />
      {Object.entries(input).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {children}
      {why && <input name="why" type="text" maxLength={500} aria-label="Why, for the audit log" placeholder="Why (for the audit log)" />}
      <button type="submit" class={tone}>
        {button}
      </button>
    </form>
  )
}

/** What shows that a form is of this session, and about which service it was filled in: another may be looked at by now. */
export function HiddenFields() {
  const { session, services } = useViewer()
  return (
    <>
      <input type="hidden" name="csrf" value={session.csrf} />
      {services && <input type="hidden" name="service" value={services.chosen} />}
    </>
  )
}
