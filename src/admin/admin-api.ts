// Serves the admin API over HTTP: authentication, its routes, 404 for everything else.
import express, { type Request, type Response, Router } from 'express'
import type { Logger } from 'pino'
import type { Json } from '../rules/types.ts'
import type { Authenticator } from './access/authenticate.ts'
import type { AdminContext } from './admin-context.ts'
import { adminOpenApi } from './api/openapi.ts'
import type { AdminRoute } from './api/route.ts'
import { adminRoutes } from './api/routes/index.ts'
import { runRoute } from './api/run-route.ts'
import { sendFile } from './http.ts'

interface AdminApiOptions {
  authenticator: Authenticator
  context: AdminContext
  log: Logger
}

const json = express.json({ limit: '100kb' })
const largeJson = express.json({ limit: '1mb' })

/** The routes under /admin/api: 401 without a token, 403 without the scope, 400 for invalid parameters, else 404. */
export function adminApi(options: AdminApiOptions): Router {
  const router = Router()
  router.use('/admin/api', (request, response, next) => {
    response.set('Cache-Control', 'no-store')
    const token = options.authenticator.authenticate(request, response)
    if (token === undefined) return
    response.locals.token = token
    next()
  })
  router.get('/admin/api/openapi.json', (_request, response) => void response.json(adminOpenApi(adminRoutes)))
  for (const each of adminRoutes) {
    const path = `/admin/api${each.path.replaceAll(/\{([a-z_]+)\}/g, ':$1')}`
    if (each.method === 'get') router.get(path, (request, response) => serve(options, each, request, response))
    else
      router.post(path, each.largeBody ? largeJson : json, (request, response) =>
        serve(options, each, request, response),
      )
  }
  router.use(
    '/admin/api',
    (_request, response) =>
      void response.status(404).json({ error: 'Not found. /admin/api/openapi.json lists all operations.' }),
  )
  return router
}

async function serve(options: AdminApiOptions, route: AdminRoute, request: Request, response: Response): Promise<void> {
  const { status, body } = await runRoute(options, route, {
    params: request.params,
    input: inputOf(request),
    by: response.locals.token,
  })
  if (status < 400 && route.file !== undefined) sendFile(response, route.file, String(body))
  else response.status(status).json(body)
}

/** A POST may have its parameters in the query as well. */
function inputOf({ method, query, body }: Request): Record<string, Json> {
  const given: unknown = body
  return {
    ...(query as Record<string, Json>),
    ...(method === 'POST' && typeof given === 'object' && given !== null ? given : {}),
  }
}
