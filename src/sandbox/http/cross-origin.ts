// Lets pages of other origins read the API, as GitLab does (docs/hosting-service.md).
import type { NextFunction, Request, Response } from 'express'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const readable = [
  ...['Link', 'X-Total', 'X-Total-Pages', 'X-Per-Page', 'X-Page', 'X-Next-Page', 'X-Prev-Page'],
  ...['X-Gitlab-Blob-Id', 'X-Gitlab-Commit-Id', 'X-Gitlab-Content-Sha256', 'X-Gitlab-Encoding', 'X-Gitlab-File-Name'],
  ...['X-Gitlab-File-Path', 'X-Gitlab-Last-Commit-Id', 'X-Gitlab-Ref', 'X-Gitlab-Size', 'X-Request-Id', 'ETag'],
].join(', ')

/** A preflight is answered here, whatever its address. Only pages of the installation itself may send its cookie. */
export function allowOrigin(request: Request, response: Response, next: NextFunction): void {
  const { origin, host } = request.headers
  if (origin === undefined) {
    next()
    return
  }
  const isOwn = origin === `${request.protocol}://${host}`
  response.set({
    'Access-Control-Allow-Origin': isOwn ? origin : '*',
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Expose-Headers': readable,
    'Access-Control-Max-Age': '7200',
    ...(isOwn && { 'Access-Control-Allow-Credentials': 'true' }),
  })
  const wanted = request.get('Access-Control-Request-Method')
  if (request.method !== 'OPTIONS' || wanted === undefined || !methods.split(', ').includes(wanted.toUpperCase())) {
    next()
    return
  }
  const headers = request.get('Access-Control-Request-Headers')
  if (headers !== undefined) response.set('Access-Control-Allow-Headers', headers)
  response.status(200).end()
}
