// The admin API: its routes behind the door, every write in the audit log. No write by GET.
import { randomUUID } from 'node:crypto'
import express, { type Request, type Response, Router } from 'express'
import type { Logger } from 'pino'
import type { AuditEntry } from '../journal/types.ts'
import type { Json } from '../rules/types.ts'
import type { Door } from './authenticate.ts'
import type { Desk } from './desk.ts'
import { adminOpenApi } from './openapi.ts'
import type { AdminRoute } from './route.ts'
import { adminRoutes } from './routes/index.ts'

export interface AdminApiOptions {
  door: Door
  desk: Desk
  log: Logger
}

const json = express.json({ limit: '100kb' })

/** The routes under /admin/api: 401 without a token, 403 without the scope, 404 for what is not there, 400 for parameters that are not understood. */
export function adminApi(options: AdminApiOptions): Router {
  const router = Router()
  router.use('/admin/api', (request, response, next) => {
    response.set('Cache-Control', 'no-store')
    const token = options.door.enter(request, response)
    if (token === undefined) return
    response.locals.token = token
    next()
  })
  router.get('/admin/api/openapi.json', (_request, response) => void response.json(adminOpenApi(adminRoutes)))
  for (const each of adminRoutes) {
    const path = `/admin/api${each.path.replaceAll(/\{([a-z_]+)\}/g, ':$1')}`
    if (each.method === 'get') router.get(path, (request, response) => serve(options, each, request, response))
    else router.post(path, json, (request, response) => serve(options, each, request, response))
  }
  router.use(
    '/admin/api',
    (_request, response) =>
      void response.status(404).json({ error: 'There is nothing here: /admin/api/openapi.json tells what there is.' }),
  )
  return router
}

async function serve({ desk, log }: AdminApiOptions, route: AdminRoute, request: Request, response: Response): Promise<void> {
  const { name, scopes } = response.locals.token
  if (!scopes.includes(route.scope)) {
    log.warn({ event: 'admin refused', by: name, did: route.name }, 'an admin token has not the scope for it')
    return void response.status(403).json({ error: `The token "${name}" has not the scope "${route.scope}", which this needs.` })
  }
  const given = { params: request.params, input: inputOf(request), by: name }
  const { status, body } = await (route.method === 'get' ? route.answer(given, desk) : recorded({ desk, log }, route, given))
  response.status(status).json(body)
}

/** Noted before it is done, so that nothing is done that is not noted; and once more with what was answered. */
async function recorded({ desk, log }: Pick<AdminApiOptions, 'desk' | 'log'>, route: AdminRoute, given: Asked) {
  const { why, ...input } = given.input
  const entry: AuditEntry = {
    id: randomUUID(),
    at: new Date(desk.now()).toISOString(),
    by: given.by,
    did: route.name,
    to: { ...input, ...given.params },
    ...(typeof why === 'string' ? { why: why.slice(0, 500) } : {}),
  }
  await desk.journal.saveAudit(entry)
  const reply = await route.answer(given, desk)
  await desk.journal.saveAudit({ ...entry, status: reply.status })
  log.info({ event: 'admin', ...entry, status: reply.status }, `admin: ${route.name}`)
  return reply
}

interface Asked {
  params: Record<string, string | string[]>
  input: Record<string, Json>
  by: string
}

/** A POST may have its parameters in the query as well. */
function inputOf({ method, query, body }: Request): Record<string, Json> {
  const sent: unknown = body
  return { ...(query as Record<string, Json>), ...(method === 'POST' && typeof sent === 'object' && sent !== null ? sent : {}) }
}
