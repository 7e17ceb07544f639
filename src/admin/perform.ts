// Does what one route says for one person: within the scopes of the token, and with every write in the audit log.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { AuditEntry } from '../journal/types.ts'
import type { Json } from '../rules/types.ts'
import type { Desk } from './desk.ts'
import { type Desks, deskFor } from './desks.ts'
import { type AdminRoute, type Reply, refuse } from './route.ts'
import type { AdminToken, Scope } from './tokens.ts'

export interface Asked {
  params: Record<string, string | string[]>
  input: Record<string, Json>
  /** Whose token it is. */
  by: Pick<AdminToken, 'name' | 'scopes'>
}

/** 403 where the token has not the scope, 400 where it is not clear which service is meant; else what the route answers. */
export async function perform({ desks, log }: { desks: Desks; log: Logger }, route: AdminRoute, { by, ...asked }: Asked): Promise<Reply> {
  const { name, scopes } = by
  if (!scopes.includes(route.scope)) {
    log.warn({ event: 'admin refused', by: name, did: route.name }, 'an admin token has not the scope for it')
    return refuse(403, lacking(name, route.scope))
  }
  const found = deskFor(desks, route, asked.input)
  if ('status' in found) return found
  const { desk, input } = found
  const given = { ...asked, input, by: name }
  if (route.method === 'get') return route.answer(given, desk)
  return recorded({ desk, log }, route, given)
}

/** Noted before it is done, so that nothing is done that is not noted; and once more with what was answered. */
async function recorded(
  { desk, log }: { desk: Desk; log: Logger },
  route: AdminRoute,
  given: Omit<Asked, 'by'> & { by: string },
): Promise<Reply> {
  const { why, ...input } = given.input
  const entry: AuditEntry = {
    id: randomUUID(),
    at: new Date(desk.now()).toISOString(),
    by: given.by,
    did: route.name,
    // Also where it is the only one: others may join it later.
    to: { service: desk.service, ...input, ...given.params },
    ...(typeof why === 'string' ? { why: why.slice(0, 500) } : {}),
  }
  await desk.journal.saveAudit(entry)
  const reply = await route.answer(given, desk)
  await desk.journal.saveAudit({ ...entry, status: reply.status })
  log.info({ event: 'admin', ...entry, status: reply.status }, `admin: ${route.name}`)
  return reply
}

/** Said to whoever has not the scope. */
export const lacking = (name: string, scope: Scope) => `The token "${name}" has not the scope "${scope}", which this needs.`
