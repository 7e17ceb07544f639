// Serves the contract's endpoints under /api/v4: one route each, by a loop over the contract.
import express, { type NextFunction, type Request, type Response, type Router } from 'express'
import { type Endpoint, listEndpoints, type Method } from '../api/endpoint.ts'
import { api } from '../api/index.ts'
import { findGroup, findProject } from './access.ts'
import { faultAfter, faultBefore } from './answer-with-fault.ts'
import type { CallRecord } from './call-record.ts'
import { handlers } from './endpoints/index.ts'
import type { FaultSource } from './faults.ts'
import { Answered, type Page } from './handler.ts'
import { linkHeaders } from './pages.ts'
import { checkParams } from './params.ts'
import { bodyOf, bodyReaders, queryOf } from './read-request.ts'
import type { User } from './records.ts'
import { insufficientScope, notFound, Refusal, unauthorized } from './refusal.ts'
import { scopesFor, signIn } from './sign-in.ts'
import type { World } from './world.ts'
import type { RequestWorld } from './worlds.ts'

/** Awaited before each handled call: a test makes something happen at exactly that moment. */
export type Gate = (request: { endpoint: string; params: Record<string, unknown>; caller: string | null }) => Promise<void>

/** A handler as the loop sees it: its parameters are checked by the declaration that it was compiled against. */
type AnyHandler = (call: HandlerCall) => unknown
interface HandlerCall {
  params: Record<string, unknown>
  caller: User | null
  world: RequestWorld
}

/** What may step in between a call and its answer, and who takes note of it. */
export interface Bystanders {
  gate?: Gate | undefined
  faults?: FaultSource | undefined
  record?: CallRecord | undefined
}

/** `worldFor` gives the world of one request: hooks leave after its answer, which leaves when all that it changed is written. */
export function serveApi(worldFor: (response: Response) => RequestWorld, { gate, faults, record }: Bystanders): Router {
  const router = express.Router({ caseSensitive: true })
  router.use(...bodyReaders)
  for (const endpoint of inOrderOfMatching(listEndpoints(api))) {
    const handler = handlerOf(endpoint)
    const serve = async (request: Request, response: Response) => {
      const world = worldFor(response)
      const scopes = scopesFor(endpoint)
      const caller = signIn(world, request.headers, scopes)
      if (caller === 'insufficient') throw insufficientScope(scopes)
      if (caller === 'refused' || (caller === null && endpoint.anonymous !== true)) throw unauthorized()
      const params = checkParams(endpoint, { path: request.params, query: queryOf(request), body: await bodyOf(request) })
      const method = request.method as Method
      const entry = record?.call({ endpoint: endpoint.name, method, params, caller: caller?.id ?? null }, response)
      await gate?.({ endpoint: endpoint.name, params, caller: caller?.username ?? null })
      const fault = faults?.ofCall({ endpoint: endpoint.name, method, caller: caller?.username ?? null })
      if (fault !== undefined && (await faultBefore(fault, response))) return
      const result = await run(handler, endpoint, { params, caller, world })
      if (entry !== undefined) entry.applied = true
      const rewrite = fault === undefined ? undefined : faultAfter(fault, response)
      if (rewrite !== true) answer(endpoint, request, response, { result, params, world, rewrite })
    }
    for (const method of methodsOf(endpoint)) router[method](endpoint.path, serve)
  }
  router.use(() => {
    throw new Refusal(404, { error: '404 Not Found' })
  })
  router.use(answerError)
  return router
}

/** The page's method, and that of real installations: their clients use it. */
function methodsOf({ method, otherMethod }: Endpoint): ('get' | 'post' | 'put' | 'delete')[] {
  const methods = otherMethod === undefined ? [method] : [method, otherMethod.method]
  return methods.map((each) => each.toLowerCase() as 'get' | 'post' | 'put' | 'delete')
}

/** `/projects/user/:id` before `/projects/:id/fork`. */
function inOrderOfMatching(endpoints: readonly Endpoint[]): Endpoint[] {
  const key = (endpoint: Endpoint): string => endpoint.path.replaceAll(':', '\uffff')
  return [...endpoints].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

function handlerOf(endpoint: Endpoint): AnyHandler {
  const found = endpoint.name.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], handlers)
  return found as AnyHandler
}

async function run(handler: AnyHandler, endpoint: Endpoint, call: HandlerCall): Promise<unknown> {
  try {
    const handle = async (): Promise<unknown> => handler(call)
    // Reading may change something too, such as what is known of whether a merge request could be merged.
    if (endpoint.method === 'GET') return await call.world.run(handle)
    const lock = lockFor(endpoint, call)
    return await call.world.run(() => call.world.serialise(lock, handle))
  } catch (error) {
    // A deletion may come between: then what fails is for want of a record or a repository that is gone.
    if (error instanceof Refusal || !isGone(endpoint, call)) throw error
    tell(error)
    throw notFound()
  }
}

function isGone(endpoint: Endpoint, { world, params, caller }: HandlerCall): boolean {
  try {
    if (endpoint.path.startsWith('/projects/:id')) findProject(world, caller, params.id as number | string)
    if (endpoint.path.startsWith('/groups/:id')) findGroup(world, caller, params.id as number | string)
    return false
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

/** What was not expected: whoever runs the sandbox should see where. */
function tell(error: unknown): void {
  process.stderr.write(`sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
}

/** Writes to one project wait for each other; what belongs to no project waits for all of its kind. */
function lockFor(endpoint: Endpoint, { world, caller, params }: HandlerCall): string {
  if (!endpoint.path.startsWith('/projects/:id/')) return 'namespaces'
  return `project ${findProject(world, caller, params.id as number | string).id}`
}

function answer(
  endpoint: Endpoint,
  request: Request,
  response: Response,
  {
    result,
    params,
    world,
    rewrite,
  }: { result: unknown; params: Record<string, unknown>; world: World; rewrite: ((body: unknown) => unknown) | undefined },
): void {
  const handled = result instanceof Answered ? result.body : result
  const body = rewrite === undefined ? handled : rewrite(handled)
  const statuses = Object.entries(endpoint.answers).map(([status, schema]) => ({ status: Number(status), empty: schema.type === 'null' }))
  const declared = statuses.find((each) => each.empty === (body === null))?.status ?? 200
  const status = result instanceof Answered ? result.status : declared
  if (body === null) {
    response.status(status).end()
  } else if (endpoint.format === 'text') {
    response.status(status).set({ 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }).end(body)
  } else if (endpoint.paged === true) {
    const { items, total } = body as Page<unknown[]>
    const { page, per_page } = params as { page: number; per_page: number }
    response
      .status(status)
      .set(linkHeaders(addressOf(request, world), { page, per_page, total }))
      .json(items)
  } else {
    response.status(status).json(body)
  }
}

/** The request's own address at this service, whatever host its request line names: a client behind a proxy sends all of it. */
function addressOf(request: Request, world: World): string {
  const query = request.url.indexOf('?')
  return `${world.url}${request.baseUrl}${request.path}${query === -1 ? '' : request.url.slice(query)}`
}

/** Refusals as they are; what Express finds wrong with a request as 4xx; anything else is our mistake. */
export function answerError(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  const refusal = error instanceof Refusal ? error : refusalFor(error)
  if (response.headersSent) response.destroy()
  else response.status(refusal.status).json(refusal.body)
}

function refusalFor(error: unknown): Refusal {
  const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500
  if (status === 404) return notFound()
  if (status < 500) return new Refusal(status, { error: (error as Error).message })
  tell(error)
  return new Refusal(500, { message: '500 Internal Server Error', error: String(error) })
}
