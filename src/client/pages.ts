// Reads a list page by page, on the configured host only, and tells whether it is complete.
import type { Endpoint } from '../api/endpoint.ts'
import type { SendResult } from './attempt.ts'
import { InvalidCallError, ServiceError } from './errors.ts'
import { type PreparedRequest, prepareRequest } from './request.ts'
import { type ApiResponse, readNextPage } from './response.ts'
import { type SendOptions, send } from './send.ts'
import type { Transport } from './transport.ts'

export interface ListPage<I> extends ApiResponse<I[]> {
  /** The list ends here. False on the last page: the list was cut at `maxPages`. */
  complete: boolean
}

export interface Pages<I> extends AsyncIterable<ListPage<I>> {
  collect(): Promise<{ items: I[]; complete: boolean }>
}

export interface PagesOptions extends Pick<SendOptions, 'bypassCache'> {
  maxPages: number
}

const MOST_PER_PAGE = 100

/**
 * Reads each page when it is asked for, 100 entries a page by default. Iterating throws ServiceError,
 * also for a next page on another host: the token is never sent there.
 */
export function readPages(
  transport: Transport,
  endpoint: Endpoint,
  params: Record<string, unknown>,
  options: PagesOptions,
) {
  const { maxPages } = options
  if (endpoint.paged !== true)
    throw new InvalidCallError(endpoint.name, [{ at: 'endpoint', problem: 'its response is not in pages' }])
  if (!(maxPages >= 1)) throw new InvalidCallError(endpoint.name, [{ at: 'maxPages', problem: 'must be 1 or more' }])
  const perPage = typeof params.per_page === 'number' ? params.per_page : MOST_PER_PAGE
  const first = prepareRequest(endpoint, { ...params, per_page: perPage })
  return asPages(() => walk(transport, first, perPage, options))
}

/** `iterate` starts again for each reader. */
export function asPages<I>(iterate: () => AsyncGenerator<ListPage<I>>): Pages<I> {
  return {
    [Symbol.asyncIterator]: iterate,
    async collect() {
      const items: I[] = []
      let complete = false
      for await (const page of iterate()) {
        items.push(...page.body)
        complete = page.complete
      }
      return { items, complete }
    },
  }
}

async function* walk(
  transport: Transport,
  first: PreparedRequest,
  perPage: number,
  { maxPages, ...options }: PagesOptions,
): AsyncGenerator<ListPage<unknown>> {
  const requested = new Set<string>()
  let request: PreparedRequest | undefined = first
  for (let count = 0; request !== undefined && count < maxPages; count++) {
    requested.add(request.query)
    const result = await send(transport, request, options)
    const { response } = result
    const body = Array.isArray(response.body) ? response.body : []
    const next = nextRequest(request, result, body.length >= perPage, transport.base)
    yield { ...response, body, complete: next === undefined }
    // A page that was read before would be a loop. Fails closed: the list stays incomplete.
    request = next === undefined || requested.has(next.query) ? undefined : next
  }
}

function nextRequest(request: PreparedRequest, result: SendResult, full: boolean, base: string) {
  const next = readNextPage(result.headers)
  if (next.link !== undefined) return { ...request, query: queryOnHost(request, result, next.link, base) }
  if (next.number !== undefined) return withPage(request, next.number)
  // Without page headers, only a page that is not full is certainly the last.
  return next.hasPageHeaders || !full
    ? undefined
    : withPage(request, Number(new URLSearchParams(request.query).get('page') ?? 1) + 1)
}

function withPage(request: PreparedRequest, page: number): PreparedRequest {
  const query = new URLSearchParams(request.query)
  query.set('page', String(page))
  return { ...request, query: `?${query}` }
}

/** Only the query is used: a link cannot lead to another endpoint. */
function queryOnHost(request: PreparedRequest, result: SendResult, link: string, base: string): string {
  const here = `${base}${request.path}`
  const target = URL.canParse(link, here) ? new URL(link, here) : undefined
  if (target?.origin === new URL(base).origin) return target.search
  throw new ServiceError({
    kind: 'redirected',
    target: request.endpoint,
    path: result.shownPath,
    status: result.response.status,
    detail: `its next page is on ${target?.host ?? 'no readable address'}, not on the configured host; it is not followed`,
    mayHaveBeenApplied: false,
  })
}
