// Sends a page to whoever asked for it.
import type { Request, Response } from 'express'
import { sayDone } from './done.ts'
import { pages } from './index.ts'
import { renderPage } from './layout.tsx'
import { texts, type View } from './page.ts'
import { Problem } from './parts/problem.tsx'
import type { Viewer } from './parts/viewer.ts'
import type { Session } from './session.ts'

/** Who is logged in, and when the page was asked for: set before a page is shown. */
export interface Locals {
  session?: Session
  now: string
  services?: Viewer['services']
}

const nav = pages.flatMap(({ path, nav: word }) => (word === undefined ? [] : [{ path, word }]))

export function sendView(request: Request, response: Response<unknown, Locals>, { title, body, status = 200 }: View): void {
  const { session, now, services } = response.locals
  const frame = { title, body, nav, path: request.baseUrl.replace(/^\/admin/, '') + request.path, done: sayDone(texts(request.query)) }
  response
    .status(status)
    .type('html')
    .send(renderPage(session === undefined ? frame : { ...frame, viewer: { session, now, ...(services && { services }) } }))
}

export function sendProblem(
  request: Request,
  response: Response<unknown, Locals>,
  { status, message }: { status: number; message: string },
): void {
  const title = titles[status] ?? 'It did not work'
  sendView(request, response, { title, status, body: <Problem title={title} message={message} /> })
}

const titles: Record<number, string> = {
  400: 'That is not understood',
  403: 'That is not allowed',
  404: 'There is nothing here',
  409: 'It is otherwise by now',
  410: 'That is not kept any more',
}
