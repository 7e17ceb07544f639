// The dashboard under /admin: each page of the table, and each form, which does what the admin API does. Works without a script.
import { type NextFunction, type Request, type Response, Router } from 'express'
import type { Logger } from 'pino'
import { perform } from '../perform.ts'
import { adminRoutes } from '../routes/index.ts'
import { statusOf } from '../status-of.ts'
import { assets } from './assets.ts'
import { serviceCookie, sessionCookie, setServiceCookie } from './cookie.ts'
import { pages } from './index.ts'
import { createLive } from './live.ts'
import { form, isOurForm, logIn } from './login-gate.tsx'
import type { AdminPagesOptions } from './options.ts'
import { type Page, PageRefusal, texts, type Visit } from './page.ts'
import { linkTo } from './parts/links.ts'
import { type Locals, sendProblem, sendView } from './send.tsx'
import type { Session } from './session.ts'

type Answering = Response<unknown, Locals>

/** The routes under /admin: 401 and the page to log in without a session, 403 where a token may not, 404 for what is not there. */
export function adminPages(options: AdminPagesOptions): Router {
  const router = Router()
  const inside = Router()
  router.use(assets())
  router.use('/admin', inside)
  inside.use((_request, response: Answering, next) => {
    response.locals.now = new Date(options.now()).toISOString()
    response.set(headers)
    next()
  })
  inside.use(logIn(options))
  if (options.desks.size > 1) inside.use(chooseService(options))
  const live = createLive(options.live)
  for (const page of pages) {
    const { path, live: list } = page
    if (list !== undefined)
      inside.get(`/live${path}`, (request, response: Answering) => {
        const { newest, service: _, ...query } = texts(request.query)
        return live(response, newest, async (limit) => {
          const session = await options.sessions.read(sessionCookie(request))
          return session === undefined ? undefined : asking(options, response)(list, { input: { ...query, limit } })
        })
      })
    inside.get(expressPath(page.path), (request, response: Answering) => show(options, page, request, response))
    for (const name of Object.keys(page.forms ?? {}))
      inside.post(expressPath(routeNamed(name).path), form, (request, response: Answering) => send(options, page, name, request, response))
  }
  inside.use((request, response: Answering) => sendProblem(request, response, { status: 404, message: 'There is no such page.' }))
  inside.use(problems(options.log))
  return router
}

// With `no-referrer` a browser would not tell which page a form came from.
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

function routeNamed(name: string) {
  const found = adminRoutes.find((each) => each.name === name)
  if (found === undefined) throw new Error(`the admin API has no ${name}`)
  return found
}

/** What routes of the admin API answer to whoever is logged in. */
function asking(options: AdminPagesOptions, response: Answering): Visit['ask'] {
  const by = sessionOf(response)
  return async <T>(name: string, given: Parameters<Visit['ask']>[1]) =>
    bodyOf(await perform(options, routeNamed(name), { params: {}, ...given, input: { ...given?.input, ...ofService(response) }, by })) as T
}

async function show(options: AdminPagesOptions, page: Page, request: Request, response: Answering): Promise<void> {
  const { done: _done, count: _count, service: _service, ...query } = texts(request.query)
  const view = await page.show({
    params: texts(request.params),
    query,
    now: response.locals.now,
    ask: asking(options, response),
  })
  sendView(request, response, view)
}

async function send(options: AdminPagesOptions, page: Page, name: string, request: Request, response: Answering): Promise<void> {
  if (!isOurForm(request, response, options.publicUrl)) return
  const { csrf: _, service, ...input } = texts(request.body)
  choose(response, service)
  const params = texts(request.params)
  const reply = await perform(options, routeNamed(name), { params, input: { ...input, ...ofService(response) }, by: sessionOf(response) })
  bodyOf(reply)
  const after = await page.forms?.[name]?.({ params, input, reply, ask: asking(options, response) })
  if (after === undefined) throw new Error(`nothing is said to follow ${name}`)
  if ('title' in after) return sendView(request, response, after)
  response.redirect(
    303,
    linkTo(after.goTo, { done: name, ...ofService(response), ...(after.count === undefined ? {} : { count: String(after.count) }) }),
  )
}

/** The one that the address names, else the one that was looked at last, else the first. */
function chooseService({ desks, publicUrl }: AdminPagesOptions) {
  const all = [...desks.keys()]
  const known = (name: string | undefined) => (name !== undefined && desks.has(name) ? name : undefined)
  return (request: Request, response: Answering, next: NextFunction) => {
    const named = known(texts(request.query).service)
    response.locals.services = { all, chosen: named ?? known(serviceCookie(request)) ?? all[0] ?? '' }
    if (named !== undefined) setServiceCookie(response, named, publicUrl.startsWith('https:'))
    next()
  }
}

/** What a form says counts, and nothing else: fails closed where it says nothing, for by now another may be looked at. */
function choose(response: Answering, named = ''): void {
  const { services } = response.locals
  if (services !== undefined) response.locals.services = { ...services, chosen: named }
}

/** The service that the admin API is to be told; nothing where there is one alone. */
function ofService({ locals: { services } }: Answering): { service?: string } {
  return services === undefined ? {} : { service: services.chosen }
}

function sessionOf({ locals: { session } }: Answering): Session {
  if (session === undefined) throw new Error('nobody is logged in')
  return session
}

/** Throws PageRefusal where the API refuses. */
function bodyOf({ status, body }: { status: number; body: unknown }): unknown {
  if (status < 400) return body
  throw new PageRefusal(status, (body as { error: string }).error)
}

function problems(log: Logger) {
  return (error: unknown, request: Request, response: Answering, next: NextFunction) => {
    if (!response.headersSent && error instanceof PageRefusal) return sendProblem(request, response, error)
    const status = statusOf(error)
    if (status >= 500) log.error({ event: 'request failed', err: error }, 'a page could not be shown')
    if (response.headersSent) return next(error)
    const message = status < 500 ? 'The request cannot be read.' : 'Something went wrong; the log has the details.'
    sendProblem(request, response, { status, message })
  }
}
