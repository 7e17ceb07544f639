// Logging in and out, and the gate before all pages: who is not logged in sees the page to log in.
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { sameText } from '../authenticate.ts'
import { clearSessionCookie, sessionCookie, setSessionCookie } from './cookie.ts'
import { Login, nextPage } from './login-page.tsx'
import type { AdminPagesOptions } from './options.ts'
import { texts } from './page.ts'
import { isFromOurPage } from './same-site.ts'
import { type Locals, sendProblem, sendView } from './send.tsx'

export const form: RequestHandler = express.urlencoded({ extended: false, limit: '20kb', parameterLimit: 50 })
export const notOurs =
  'The form did not come from a page of Bellhop, or was left open for too long. Go back, load the page again, and send it once more.'

export function logIn({ door, sessions, publicUrl, log }: AdminPagesOptions): Router {
  const router = Router()
  const secure = publicUrl.startsWith('https:')

  router.post('/login', form, (request, response: Response<unknown, Locals>) => {
    const { token, next } = texts(request.body)
    if (!isFromOurPage(request, publicUrl)) return sendLogin(request, response, { status: 403, problem: notOurs, next })
    const admitted = door.admit(request, token)
    if (admitted.is === 'in') {
      log.info({ event: 'admin login', by: admitted.token.name }, 'logged in to the dashboard')
      setSessionCookie(response, sessions.begin(admitted.token), secure)
      return response.redirect(303, nextPage(next))
    }
    if (admitted.is === 'wrong') return sendLogin(request, response, { status: 401, problem: 'That is no admin token.', next })
    response.set('Retry-After', String(admitted.seconds))
    const problem = `Too many wrong tokens came from this address. Try again in ${admitted.seconds} seconds.`
    sendLogin(request, response, { status: 429, problem, next })
  })

  router.use(async (request, response: Response<unknown, Locals>, proceed) => {
    const session = await sessions.read(sessionCookie(request))
    if (session !== undefined) {
      response.locals.session = session
      return proceed()
    }
    // A link from elsewhere comes without the cookie; asked for once more by a page of ours, it comes with it.
    if (request.method === 'GET' && request.headers['sec-fetch-site'] === 'cross-site')
      return void response.set('Refresh', '0').type('html').send('<!doctype html><title>Bellhop</title>')
    const problem =
      sessionCookie(request) === undefined ? undefined : 'You are logged in no more: the session was over, or its token was changed.'
    sendLogin(request, response, { status: 401, next: request.method === 'GET' ? request.originalUrl : undefined, problem })
  })

  router.post('/logout', form, async (request, response: Response<unknown, Locals>) => {
    if (!isOurForm(request, response, publicUrl)) return
    // A copy of the cookie, or a browser that keeps it, is logged out as well.
    await sessions.end(sessionCookie(request))
    clearSessionCookie(response, secure)
    response.redirect(303, '/admin')
  })
  return router
}

/** Of this session, and sent by a page of ours; else it was answered. */
export function isOurForm(request: Request, response: Response<unknown, Locals>, publicUrl: string): boolean {
  const { csrf = '' } = texts(request.body)
  if (isFromOurPage(request, publicUrl) && response.locals.session !== undefined && sameText(csrf, response.locals.session.csrf))
    return true
  sendProblem(request, response, { status: 403, message: notOurs })
  return false
}

function sendLogin(
  request: Request,
  response: Response<unknown, Locals>,
  { status, problem, next }: { status: number; problem?: string | undefined; next: string | undefined },
): void {
  sendView(request, response, { title: 'Log in', status, body: <Login next={nextPage(next)} problem={problem} /> })
}
