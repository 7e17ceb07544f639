// Reads query and body: JSON, forms and multipart with files.
import express, { type Request, type RequestHandler } from 'express'
import { badParameter, ErrorResponse } from './error-response.ts'
import { addPair, parsePairs, type RawParams } from './params.ts'

const bodyLimit = '100mb'

export const bodyReaders: readonly RequestHandler[] = [
  express.json({ limit: bodyLimit, strict: false, type: isJson }),
  express.text({ limit: bodyLimit, type: 'application/x-www-form-urlencoded' }),
  express.raw({ limit: bodyLimit, type: 'multipart/form-data' }),
]

function isJson(request: { headers: { 'content-type'?: string } }) {
  return /^application\/(?:[\w.+-]+\+)?json/i.test(request.headers['content-type'] ?? '')
}

export function readQuery(request: Request): RawParams {
  const start = request.url.indexOf('?')
  return start === -1 ? {} : parsePairs(request.url.slice(start + 1))
}

/** A file is a `File`. Throws 400 or 415. */
export async function readBody(request: Request): Promise<RawParams> {
  const body: unknown = request.body
  const type = request.headers['content-type']
  if (Buffer.isBuffer(body)) return readMultipart(body, type ?? '')
  if (typeof body === 'string' && !isJson(request)) return parsePairs(body)
  if (body === undefined || body === null) {
    const empty =
      (request.headers['content-length'] ?? '0') === '0' && request.headers['transfer-encoding'] === undefined
    if (empty || type === undefined || isJson(request)) return {}
    throw new ErrorResponse(415, { error: `The provided content-type '${type}' is not supported.` })
  }
  if (typeof body !== 'object' || Array.isArray(body)) throw badParameter('the body is not an object')
  return body as RawParams
}

async function readMultipart(bytes: Buffer, type: string): Promise<RawParams> {
  let form: FormData
  try {
    form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw Object.assign(badParameter('the body is not valid multipart/form-data'), { cause })
  }
  const given: RawParams = Object.create(null)
  for (const [key, value] of form) addPair(given, key, value)
  return given
}

/** Undefined when it cannot be decoded. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
