// Serves the dashboard under /admin: pages and forms over the operations of the admin API. Works without scripts.
import { type NextFunction, type Request, Router } from 'express'
import type { Logger } from 'pino'
import { routeNamed } from '../../api/routes/index.ts'
import { runRoute } from '../../api/run-route.ts'
import { sendFile, statusOf } from '../../http.ts'
import { type DashboardPage, type PageContext, PageError, stringFields } from '../definition/page.ts'
import { pages } from '../index.ts'
import { linkTo } from '../parts/links.tsx'
import type { Session } from '../session/session.ts'
import { type AdminPagesOptions, checkForm, form, largeForm, loginGate } from './login-gate.tsx'
import { assets, type PageResponse, sendProblem, sendView } from './send.tsx'

/** The routes under /admin: 401 with the login form without a session, 403 without the scope, 404 for the rest. */
export function adminPages(options: AdminPagesOptions): Router {
  const router = Router()
  const admin = Router()
  router.use(assets())
  router.use('/admin', admin)
  admin.use((_request, response: PageResponse, next) => {
    response.locals.now = new Date(options.context.now()).toISOString()
    response.set(headers)
    next()
  })
  admin.use(loginGate(options))
  for (const page of pages) {
    admin.get([page.path].flat().map(expressPath), (request, response: PageResponse) =>
      show(options, page, request, response),
    )
    for (const name of Object.keys(page.forms ?? {})) {
      const { path: to, largeBody } = routeNamed(name)
      admin.post(expressPath(to), largeBody ? largeForm : form, (request, response: PageResponse) =>
        send(options, page, name, request, response),
      )
    }
  }
  admin.use((request, response: PageResponse) =>
    sendProblem(request, response, { status: 404, message: 'There is no such page.' }),
  )
  admin.use(problems(options.log))
  return router
}

// `no-referrer` would also drop the Origin of forms.
const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const expressPath = (path: string) => path.replaceAll(/\{([a-z_]+)\}/g, ':$1')

/** Runs operations of the admin API for the user. */
function apiFor(options: AdminPagesOptions, response: PageResponse): PageContext['api'] {
  const by = sessionOf(response)
  return async <T>(name: string, given: object = {}) => {
    const route = routeNamed(name)
    const isOfPath = ([name]: [string, unknown]) => name in route.params.shape
    const all = Object.entries(given)
    const params = Object.fromEntries(all.filter(isOfPath))
    const input = Object.fromEntries(all.filter((each) => !isOfPath(each)))
    return bodyOf(await runRoute(options, route, { params, input, by })) as T
  }
}

async function show(
  options: AdminPagesOptions,
  page: DashboardPage,
  request: Request,
  response: PageResponse,
): Promise<void> {
  const { done: _done, count: _count, ...query } = stringFields(request.query)
  const params = stringFields(request.params)
  const { now } = response.locals
  const view = await page.show({ path: request.path, params, query, now, api: apiFor(options, response) })
  if (page.file !== undefined) sendFile(response, page.file, String(view.body))
  else sendView(request, response, view)
}

async function send(
  options: AdminPagesOptions,
  page: DashboardPage,
  name: string,
  request: Request,
  response: PageResponse,
): Promise<void> {
  if (!checkForm(request, response, options.publicUrl)) return
  const { csrf: _, ...input } = stringFields(request.body)
  const params = stringFields(request.params)
  const reply = await runRoute(options, routeNamed(name), { params, input, by: sessionOf(response) })
  bodyOf(reply)
  const result = await page.forms?.[name]?.({ params, input, reply, api: apiFor(options, response) })
  if (result === undefined) throw new Error(`no result is declared for ${name}`)
  if ('title' in result) return sendView(request, response, result)
  response.redirect(303, linkTo(result.goTo, { ...result.query, done: name, count: result.count }))
}

function sessionOf({ locals: { session } }: PageResponse): Session {
  if (session === undefined) throw new Error('nobody is logged in')
  return session
}

/** Throws PageError if the API refuses. */
function bodyOf({ status, body }: { status: number; body: unknown }): unknown {
  if (status < 400) return body
  throw new PageError(status, (body as { error: string }).error)
}

function problems(log: Logger) {
  return (error: unknown, request: Request, response: PageResponse, next: NextFunction) => {
    if (!response.headersSent && error instanceof PageError) return sendProblem(request, response, error)
    const status = statusOf(error)
    if (status >= 500) log.error({ event: 'request_failed', err: error }, 'a page could not be shown')
    if (response.headersSent) return next(error)
    const message = status < 500 ? 'The request is invalid.' : 'Something went wrong. The log has the details.'
    sendProblem(request, response, { status, message })
  }
}
