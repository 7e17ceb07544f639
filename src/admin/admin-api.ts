// The admin API: its routes behind the door, every write in the audit log. No write by GET.
import express, { type Request, type Response, Router } from 'express'
import type { Logger } from 'pino'
import type { Json } from '../rules/types.ts'
import type { Door } from './authenticate.ts'
import type { Desks } from './desks.ts'
import { adminOpenApi } from './openapi.ts'
import { perform } from './perform.ts'
import type { AdminRoute } from './route.ts'
import { adminRoutes } from './routes/index.ts'

export interface AdminApiOptions {
  door: Door
  desks: Desks
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

async function serve(options: AdminApiOptions, route: AdminRoute, request: Request, response: Response): Promise<void> {
  const { status, body } = await perform(options, route, { params: request.params, input: inputOf(request), by: response.locals.token })
  response.status(status).json(body)
}

/** A POST may have its parameters in the query as well. */
function inputOf({ method, query, body }: Request): Record<string, Json> {
  const sent: unknown = body
  return { ...(query as Record<string, Json>), ...(method === 'POST' && typeof sent === 'object' && sent !== null ? sent : {}) }
}
