// Login and logout. Without a session every page shows the login form.
import express, { type Request, type RequestHandler, Router } from 'express'
import type { Logger } from 'pino'
import { count } from '../../../rules/language/values/wording.ts'
import { type Authenticator, sameText } from '../../access/authenticate.ts'
import type { AdminContext } from '../../admin-context.ts'
import { stringFields } from '../definition/page.ts'
import { clearSessionCookie, type createSessions, sessionCookie, setSessionCookie } from '../session/session.ts'
import { type PageResponse, sendProblem, sendView } from './send.tsx'

export interface AdminPagesOptions {
  authenticator: Authenticator
  sessions: ReturnType<typeof createSessions>
  context: AdminContext
  log: Logger
  /** The URL at which browsers reach the bot; empty if unknown. */
  publicUrl: string
}

export const form: RequestHandler = express.urlencoded({ extended: false, limit: '20kb', parameterLimit: 50 })
/** Takes the text of a rule file, each character of which may be encoded as nine. */
export const largeForm: RequestHandler = express.urlencoded({ extended: false, limit: '1mb', parameterLimit: 50 })
const foreignForm =
  'The form was not submitted from a page of Bellhop, or its session has expired. Go back, reload the page and submit it again.'

export function loginGate({ authenticator, sessions, publicUrl, log }: AdminPagesOptions): Router {
  const router = Router()
  const secure = publicUrl.startsWith('https:')

  router.post('/login', form, (request, response: PageResponse) => {
    const { token, next } = stringFields(request.body)
    if (!isSameOrigin(request, publicUrl))
      return sendLogin(request, response, { status: 403, problem: foreignForm, next })
    const checked = authenticator.check(request, token)
    if (checked.result === 'valid') {
      log.info({ event: 'admin_login', by: checked.token.name }, 'logged in to the dashboard')
      setSessionCookie(response, sessions.begin(checked.token), secure)
      return response.redirect(303, nextPage(next))
    }
    if (checked.result === 'wrong')
      return sendLogin(request, response, { status: 401, problem: 'Invalid admin token.', next })
    response.set('Retry-After', String(checked.seconds))
    const problem = `Too many wrong tokens came from this address. Try again in ${count(checked.seconds, 'second')}.`
    sendLogin(request, response, { status: 429, problem, next })
  })

  router.use(async (request, response: PageResponse, proceed) => {
    const session = await sessions.read(sessionCookie(request))
    if (session !== undefined) {
      response.locals.session = session
      return proceed()
    }
    // A link from another site comes without the strict cookie; a refresh from our own page has it.
    if (request.method === 'GET' && request.headers['sec-fetch-site'] === 'cross-site')
      return void response.set('Refresh', '0').type('html').send('<!doctype html><title>Bellhop</title>')
    const problem =
      sessionCookie(request) === undefined ? undefined : 'Your session has ended, or its token was changed.'
    sendLogin(request, response, {
      status: 401,
      next: request.method === 'GET' ? request.originalUrl : undefined,
      problem,
    })
  })

  router.post('/logout', form, async (request, response: PageResponse) => {
    if (!checkForm(request, response, publicUrl)) return
    // Also logs out copies of the cookie.
    await sessions.end(sessionCookie(request))
    clearSessionCookie(response, secure)
    response.redirect(303, '/admin')
  })
  return router
}

/** Whether the form is of this session and from our own page; if not, it responds with 403. */
export function checkForm(request: Request, response: PageResponse, publicUrl: string): boolean {
  const { csrf = '' } = stringFields(request.body)
  if (
    isSameOrigin(request, publicUrl) &&
    response.locals.session !== undefined &&
    sameText(csrf, response.locals.session.csrf)
  )
    return true
  sendProblem(request, response, { status: 403, message: foreignForm })
  return false
}

function sendLogin(
  request: Request,
  response: PageResponse,
  { status, problem, next }: { status: number; problem?: string; next: string | undefined },
): void {
  const body = <Login next={nextPage(next)} problem={problem} />
  sendView(request, response, { title: 'Log in', heading: null, status, body })
}

/** Whether our own page submitted a form, by headers that browsers always send and other sites cannot change. */
function isSameOrigin({ headers }: Request, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  // Browsers send it only over TLS and on localhost.
  if (site !== undefined) return site === 'same-origin'
  const origin = hostOf(headers.origin)
  return origin !== undefined && (origin === headers.host || origin === hostOf(publicUrl))
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
}

/** `next`: the page to show afterwards. */
function Login({ next, problem }: { next: string; problem?: string }) {
  return (
    <div class="login column">
      <h1>Log in</h1>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action="/admin/login">
        <input type="hidden" name="next" value={next} />
        <label>
          <span>Admin token</span>
          <input name="token" type="password" autocomplete="current-password" required />
        </label>
        <button type="submit" class="main">
          Log in
        </button>
      </form>
      <p class="hint">
        A token from <code>BELLHOP_ADMIN_TOKENS</code>, or <code>BELLHOP_ADMIN_TOKEN</code>.
      </p>
    </div>
  )
}

/** The page to show after the login: always one of our own. */
function nextPage(given: unknown): string {
  if (typeof given !== 'string' || !URL.canParse(given, base)) return '/admin'
  const { origin, pathname, search } = new URL(given, base)
  return origin === base && /^\/admin(?:\/|$)/.test(pathname) ? pathname + search : '/admin'
}

const base = 'http://bellhop.invalid'
