// Renders a page, or the error page, as the response.
import type { Request, Response } from 'express'
import { type PageView, stringFields } from '../definition/page.ts'
import { pages } from '../index.ts'
import { describeFormResult } from '../operations/form-result.ts'
import type { Session } from '../session/session.ts'
import { renderPage } from './layout.tsx'

/** Set by middleware before a page is shown. */
export interface Locals {
  session?: Session
  now: string
}

const nav = pages.flatMap(({ path, nav: label }) => (label === undefined ? [] : [{ path, label }]))

export function sendView(
  request: Request,
  response: Response<unknown, Locals>,
  { title, body, status = 200 }: PageView,
): void {
  const { session, now } = response.locals
  const frame = {
    title,
    body,
    nav,
    path: request.baseUrl.replace(/^\/admin/, '') + request.path,
    done: describeFormResult(stringFields(request.query)),
    viewer: session && { session, now },
  }
  response.status(status).type('html').send(renderPage(frame))
}

export function sendProblem(
  request: Request,
  response: Response<unknown, Locals>,
  { status, message }: { status: number; message: string },
): void {
  const title = titles[status] ?? 'Something went wrong'
  const body = (
    <>
      <h1>{title}</h1>
      <p class="problem" role="alert">
        {message}
      </p>
      <p>
        <a href="/admin">Go to the overview</a>
      </p>
    </>
  )
  sendView(request, response, { title, status, body })
}

const titles: Record<number, string> = {
  400: 'Invalid request',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  410: 'No longer stored',
}
