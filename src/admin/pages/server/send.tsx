// Renders a page, or the error page, as the response.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Request, type Response, Router } from 'express'
import { renderToString } from 'preact-render-to-string'
import { count as counted } from '../../../rules/language/values/wording.ts'
import { type PageView, stringFields } from '../definition/page.ts'
import { CsrfField } from '../forms/action-form.tsx'
import { pages } from '../index.ts'
import { type Viewer, ViewerContext } from '../parts/time.tsx'
import type { Session } from '../session/session.ts'

/** Set by middleware before a page is shown. */
interface Locals {
  session?: Session
  now: string
}

export type PageResponse = Response<unknown, Locals>

const nav = pages.flatMap(({ path, nav: label }) => (label === undefined ? [] : [{ path: String(path), label }]))

export function sendView(request: Request, response: PageResponse, { status = 200, ...view }: PageView): void {
  const { session, now } = response.locals
  const page = (
    <Document
      {...view}
      path={request.baseUrl.replace(/^\/admin/, '') + request.path}
      done={describeFormResult(stringFields(request.query))}
      viewer={session && { session, now }}
    />
  )
  response
    .status(status)
    .type('html')
    .send(`<!doctype html>${renderToString(page)}`)
}

export function sendProblem(
  request: Request,
  response: PageResponse,
  { status, message }: { status: number; message: string },
): void {
  const title = titles[status] ?? 'Something went wrong'
  const body = (
    <>
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
  pause_merge_queue: () => 'Paused. Nothing is merged until it is resumed.',
  resume_merge_queue: () => 'Resumed. What was not merged yet is built anew.',
  remove_merge_queue_entry: () => 'Removed. Those behind it are built anew, without it.',
  move_merge_queue_entry: () => 'Moved to the front of those that wait.',
  freeze: () => 'Frozen. Nothing is merged in this project until the freeze ends.',
  end_freeze: () => 'The freeze is over. What waited is evaluated now.',
  discard_jobs: (count) => `${counted(count, 'job')} discarded.`,
}

/** The message for a page's `done` and `count`; undefined without a form. */
function describeFormResult({ done = '', count = '0' }: Record<string, string>): string | undefined {
  return Object.hasOwn(messages, done) && /^\d{1,9}$/.test(count) ? messages[done]?.(Number(count)) : undefined
}

interface Frame extends Omit<PageView, 'status'> {
  /** Absent if nobody is logged in: there is no navigation. */
  viewer?: Viewer
  /** Below /admin. */
  path: string
  done?: string
}

const bell = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#5b6bd6" d="M8 1a1 1 0 0 0-1 1v.6A4.5 4.5 0 0 0 3.5 7v3L2 12v1h12v-1l-1.5-2V7A4.5 4.5 0 0 0 9 2.6V2a1 1 0 0 0-1-1zM6.5 14a1.5 1.5 0 0 0 3 0z"/></svg>',
)}`

function Document({ title, heading = title, viewer, path, done, body }: Frame) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Bellhop`}</title>
        <link rel="icon" href={bell} />
        <link rel="stylesheet" href={assetUrl('admin.css')} />
        <script type="module" src={assetUrl('dashboard.js')} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <ViewerContext.Provider value={viewer}>
          <header class="top">
            <a class="brand" href="/admin">
              Bellhop
            </a>
            {viewer !== undefined && (
              <>
                <details class="filters">
                  <summary>Menu</summary>
                  <nav aria-label="Main">
                    {nav.map((each) => (
                      <a
                        key={each.path}
                        class="tab"
                        href={`/admin${each.path}`}
                        aria-current={isWithin(path, each.path) ? 'page' : undefined}
                      >
                        {each.label}
                      </a>
                    ))}
                  </nav>
                </details>
                <form class="user" method="post" action="/admin/logout">
                  <CsrfField />
                  <span>{viewer.session.name}</span>
                  <button type="submit" class="plain">
                    Log out
                  </button>
                </form>
              </>
            )}
          </header>
          <main id="main" tabIndex={-1}>
            {done !== undefined && (
              <p class="done" role="status">
                {done}
              </p>
            )}
            {heading !== null && <h1>{heading}</h1>}
            {body}
          </main>
        </ViewerContext.Provider>
      </body>
    </html>
  )
}

const isWithin = (path: string, of: string) => path === of || path.startsWith(`${of}/`)

const types = { 'admin.css': 'text/css; charset=utf-8', 'dashboard.js': 'text/javascript; charset=utf-8' } as const
type Asset = keyof typeof types

const files = (Object.keys(types) as Asset[]).map((name) => {
  const text = readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')
  return { name, text, url: `/admin/assets/${createHash('sha256').update(text).digest('hex').slice(0, 12)}/${name}` }
})

function assetUrl(name: Asset): string {
  return files.find((each) => each.name === name)?.url ?? ''
}

/** Needs no session: the login page uses them. */
export function assets(): Router {
  const router = Router()
  for (const { name, text, url } of files)
    router.get(url, (_request, response) => {
      response.set({ 'Content-Type': types[name], 'Cache-Control': 'public, max-age=31536000, immutable' }).send(text)
    })
  return router
}
