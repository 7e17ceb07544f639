// Renders a page, or the error page, as the response.
import type { Request, Response } from 'express'
import { count as counted } from '../../../rules/language/values/wording.ts'
import { type PageView, stringFields } from '../definition/page.ts'
import { pages } from '../index.ts'
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

/** What confirms a form. The address has only the operation and a count, so that it cannot inject text. */
const messages: Record<string, (count: number) => string> = {
  replay_delivery: () => 'Enqueued again. Reload the page in a moment to see the result below.',
  replay_decision: () => 'Enqueued again. The result will be the newest decision of the merge request.',
  replay_selection: (count) =>
    `${counted(count, 'delivery', 'deliveries')} enqueued again. Each shows its result in a moment.`,
  pause: () => 'Paused.',
  resume: (count) => `Resumed.${count === 0 ? '' : ` Evaluating ${counted(count, 'held-back merge request')}.`}`,
  retry_job: () => 'The job was enqueued again.',
  promote_job: () => 'The job runs now.',
  discard_job: () => 'The job was discarded.',
  retry_failed: (count) => `${counted(count, 'job')} enqueued again.`,
  pause_merge_queue: () => 'Paused. Nothing lands until it is resumed.',
  resume_merge_queue: () => 'Resumed. What has not landed is built anew.',
  remove_merge_queue_entry: () => 'Removed. Those behind it are built anew, without it.',
  move_merge_queue_entry: () => 'Moved to the front of those that wait.',
  discard_jobs: (count) => `${counted(count, 'job')} discarded.`,
}

/** The message for a page's `done` and `count`; undefined without a form. */
function describeFormResult({ done = '', count = '0' }: Record<string, string>): string | undefined {
  return Object.hasOwn(messages, done) && /^\d{1,9}$/.test(count) ? messages[done]?.(Number(count)) : undefined
}
