// Serves the contract's endpoints under /api/v4.
import express, { type NextFunction, type Request, type Response } from 'express'
import { type Endpoint, listEndpoints, type Method } from '../../api/endpoint.ts'
import { api } from '../../api/index.ts'
import { valueAt } from '../../api/json.ts'
import { findProject } from '../access/access.ts'
import { actingAs, scopesFor, signIn, usedToken } from '../access/sign-in.ts'
import { handlers } from '../endpoints/index.ts'
import type { Token, User } from '../records/records.ts'
import type { RequestWorld } from '../storage/worlds.ts'
import type { CallRecord } from './call-record.ts'
import { ErrorResponse, insufficientScope, noSuchRoute, notFound, sendJson, unauthorized } from './error-response.ts'
import { type FaultSource, faultAfter, faultBefore } from './faults.ts'
import { type RecordPage, StatusResponse } from './handler.ts'
import { bodyReaders, checkParams, readBody, readQuery } from './params.ts'

/** Awaited before each handled call, so that a test can interleave. */
export type Gate = (request: {
  endpoint: string
  params: Record<string, unknown>
  caller: string | null
}) => Promise<void>

/** A handler without its types; its parameters are checked against the contract. */
type AnyHandler = (call: HandlerCall) => unknown
interface HandlerCall {
  params: Record<string, unknown>
  caller: User | null
  token: Token | undefined
  world: RequestWorld
}

export interface Instruments {
  gate?: Gate
  faults?: FaultSource
  record?: CallRecord
}

/** `worldFor`: the world of one request. The response leaves once its changes are written, then its hooks. */
export function serveApi(worldFor: (response: Response) => RequestWorld, { gate, faults, record }: Instruments) {
  const router = express.Router({ caseSensitive: true })
  router.use(
    (request, _response, next) => {
      // GitLab compares ETags whatever the request says of caches; Express would not.
      delete request.headers['cache-control']
      next()
    },
    ...bodyReaders,
  )
  for (const endpoint of inOrderOfMatching(listEndpoints(api))) {
    const handler = valueAt(handlers, endpoint.name.split('.')) as AnyHandler
    const serve = async (request: Request, response: Response) => {
      const world = worldFor(response)
      const scopes = scopesFor(endpoint)
      const signedIn = signIn(world, request.headers, scopes)
      if (signedIn === 'insufficient') throw insufficientScope(scopes)
      if (signedIn === 'refused' || (signedIn === null && endpoint.anonymous !== true)) throw unauthorized()
      const token = usedToken(world, request.headers)
      const sudo = request.headers.sudo ?? readQuery(request).sudo
      const caller = typeof sudo === 'string' && signedIn ? actingAs(world, signedIn, token, sudo) : signedIn
      const params = checkParams(endpoint, {
        path: request.params,
        query: readQuery(request),
        body: await readBody(request),
      })
      const method = request.method as Method
      const entry = record?.call({ endpoint: endpoint.name, method, params, caller: caller?.id ?? null }, response)
      await gate?.({ endpoint: endpoint.name, params, caller: caller?.username ?? null })
      const fault = faults?.ofCall({ endpoint: endpoint.name, caller: caller?.username ?? null })
      if (fault !== undefined && (await faultBefore(fault, response))) return
      const call = { params, caller, token, world }
      const result = await run(handler, endpoint, call)
      if (entry !== undefined) entry.applied = true
      const rewrite = fault && faultAfter(fault, response)
      if (rewrite !== true) answer(endpoint, request, response, call, { result, rewrite })
    }
    // The documented method, and GitLab's when it differs.
    for (const method of new Set([endpoint.method, endpoint.otherMethod?.method ?? endpoint.method]))
      router[method.toLowerCase() as Lowercase<Method>](endpoint.path, serve)
  }
  router.use(() => {
    throw noSuchRoute()
  })
  router.use(answerError)
  return router
}

/** `/projects/user/:id` before `/projects/:id/fork`. */
function inOrderOfMatching(endpoints: readonly Endpoint[]): Endpoint[] {
  const key = (endpoint: Endpoint) => endpoint.path.replaceAll(':', '\uffff')
  return [...endpoints].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

async function run(handler: AnyHandler, endpoint: Endpoint, call: HandlerCall): Promise<unknown> {
  const handle = async (): Promise<unknown> => handler(call)
  // Reading may update merge_status.
  if (endpoint.method === 'GET') return call.world.run(handle)
  // Writes to one project are serialised; all others share a lock.
  const lock = endpoint.path.startsWith('/projects/:id/')
    ? `project ${findProject(call.world, call.caller, call.params.id as number | string).id}`
    : 'namespaces'
  return call.world.run(() => call.world.serialise(lock, handle))
}

function answer(
  endpoint: Endpoint,
  request: Request,
  response: Response,
  { params, world }: HandlerCall,
  { result, rewrite = (body) => body }: { result: unknown; rewrite?: (body: unknown) => unknown },
) {
  const body = rewrite(result instanceof StatusResponse ? result.body : result)
  const statuses = Object.entries(endpoint.responses).map(([status, schema]) => ({
    status: Number(status),
    empty: schema.type === 'null',
  }))
  const declared = statuses.find((each) => each.empty === (body === null))?.status ?? 200
  const status = result instanceof StatusResponse ? result.status : declared
  if (body === null) {
    response.status(status).end()
  } else if (endpoint.format === 'text') {
    response.status(status).set({ 'Content-Type': 'text/plain; charset=utf-8' }).end(body)
  } else if (endpoint.paged === true) {
    const { items, total } = body as RecordPage<unknown[]>
    const { page, per_page } = params as { page: number; per_page: number }
    // At this service, also when a proxy sends an absolute URL.
    const query = /\?.*/s.exec(request.url)?.[0] ?? ''
    const url = `${world.url}${request.baseUrl}${request.path}${query}`
    response.set(linkHeaders(url, { page, per_page, total }))
    sendJson(response, status, items)
  } else {
    sendJson(response, status, body)
  }
}

/** Refusals as they are, Express's errors as 4xx, everything else as 500. */
export function answerError(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  const refusal = error instanceof ErrorResponse ? error : refusalFor(error)
  if (response.headersSent) response.destroy()
  else sendJson(response, refusal.status, refusal.body)
}

function refusalFor(error: unknown) {
  const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500
  if (status === 404) return notFound()
  if (status < 500) return new ErrorResponse(status, { error: (error as Error).message })
  process.stderr.write(`sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return new ErrorResponse(500, { message: '500 Internal Server Error', error: String(error) })
}

/** GitLab counts no further. */
const largestTotal = 10_000

/** Omits totals and the last page above 10,000; headers of missing pages are empty. */
export function linkHeaders(url: string, { page, per_page, total }: { page: number; per_page: number; total: number }) {
  const pages = Math.max(1, Math.ceil(total / per_page))
  const next = page < pages ? page + 1 : undefined
  const prev = page > 1 ? Math.min(page - 1, pages) : undefined
  const link = (relation: string, number: number | undefined) => {
    if (number === undefined) return []
    const target = new URL(url)
    target.searchParams.set('page', String(number))
    target.searchParams.set('per_page', String(per_page))
    return [`<${target.href}>; rel="${relation}"`]
  }
  const counted = total <= largestTotal
  const last = counted ? pages : undefined
  return {
    link: [...link('prev', prev), ...link('next', next), ...link('first', 1), ...link('last', last)].join(', '),
    'x-page': String(page),
    'x-per-page': String(per_page),
    'x-next-page': String(next ?? ''),
    'x-prev-page': String(prev ?? ''),
    ...(counted && { 'x-total': String(total), 'x-total-pages': String(pages) }),
  }
}
