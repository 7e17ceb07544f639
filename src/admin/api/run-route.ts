// Runs one operation for a token: checks its scope, and records every write in the audit log.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { AuditEntry } from '../../journal/types.ts'
import type { Json } from '../../rules/types.ts'
import type { AdminToken } from '../access/tokens.ts'
import type { AdminContext } from '../admin-context.ts'
import { withIds, withNames } from './names.ts'
import { type AdminRoute, missingScope, type Reply, type RouteInput, refuse } from './route.ts'

interface RouteRequest {
  params: Record<string, string | string[]>
  input: Record<string, Json>
  by: Pick<AdminToken, 'name' | 'scopes'>
}

/** 403 without the scope; else the route's reply. */
export async function runRoute(
  { context, log }: { context: AdminContext; log: Logger },
  route: AdminRoute,
  { by, ...request }: RouteRequest,
): Promise<Reply> {
  const { name, scopes } = by
  if (!scopes.includes(route.scope)) {
    log.warn({ event: 'admin_refused', by: name, operation: route.name }, 'an admin token lacks the scope')
    return refuse(403, missingScope(name, route.scope))
  }
  const resolved = await withIds({ ...request, by: name, scopes }, route, context)
  if ('status' in resolved) return resolved
  const { given } = resolved
  const reply = await (route.method === 'get' || route.readOnly
    ? route.run(given, context)
    : runRecorded({ context, log }, route, given))
  // Names (titles, paths and addresses) need the scope `read`.
  if (reply.status >= 400 || route.withoutNames === true || !scopes.includes('read')) return reply
  return { ...reply, body: await withNames(reply.body, context) }
}

/** Records the operation before it runs, so that nothing runs unrecorded, and again with its status. */
async function runRecorded(
  { context, log }: { context: AdminContext; log: Logger },
  route: AdminRoute,
  given: Omit<RouteRequest, 'by'> & Pick<RouteInput, 'by' | 'scopes'>,
): Promise<Reply> {
  const { why, ...input } = given.input
  const entry: AuditEntry = {
    id: randomUUID(),
    at: new Date(context.now()).toISOString(),
    by: given.by,
    operation: route.name,
    to: { ...input, ...given.params, ...(route.subject && { subject: route.subject }) },
    why: typeof why === 'string' ? why.slice(0, 500) : undefined,
  }
  await context.journal.audit.save(entry)
  const reply = await route.run(given, context)
  await context.journal.audit.save({ ...entry, status: reply.status })
  log.info({ event: 'admin', ...entry, status: reply.status }, `admin: ${route.name}`)
  return reply
}
