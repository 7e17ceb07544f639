// The headers that GitLab sends with each response of its API, refusals too (docs/hosting-service.md).
import { randomUUID } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'

/** Statuses whose body GitLab marks with an ETag; 304 repeats that of the body it stands for. */
const marked = [200, 201, 304]

/** Sets them before anything is handled; what depends on the response is set as its first byte leaves. */
export function setResponseHeaders(request: Request, response: Response, next: NextFunction): void {
  const start = performance.now()
  // GitLab compares marks whatever the request says of caches; Express would not.
  delete request.headers['cache-control']
  const id = randomUUID()
  response.set({
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'X-Gitlab-Meta': JSON.stringify({ correlation_id: id, version: '1' }),
    'X-Request-Id': id,
  })
  const writeHead = response.writeHead
  response.writeHead = (...given: unknown[]) => {
    response.writeHead = writeHead
    // Express marks refusals as well.
    if (!marked.includes(response.statusCode)) response.removeHeader('ETag')
    if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', cacheControl(response))
    response.setHeader('X-Runtime', ((performance.now() - start) / 1000).toFixed(6))
    return Reflect.apply(writeHead, response, given)
  }
  next()
}

function cacheControl(response: Response) {
  return response.hasHeader('ETag') ? 'max-age=0, private, must-revalidate' : 'no-cache'
}
