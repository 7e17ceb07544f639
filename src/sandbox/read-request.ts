// What a request brings in its query and body: JSON, a form, or multipart/form-data with files.
import express, { type Request, type RequestHandler } from 'express'
import { type Given, parsePairs, takePair } from './params.ts'
import { badParameter, Refusal } from './refusal.ts'

const bodyLimit = '100mb'

/** Reads the body's bytes; what they mean is for `bodyOf`. */
export const bodyReaders: readonly RequestHandler[] = [
  express.json({ limit: bodyLimit, strict: false, type: isJson }),
  express.text({ limit: bodyLimit, type: 'application/x-www-form-urlencoded' }),
  express.raw({ limit: bodyLimit, type: 'multipart/form-data' }),
]

function isJson(request: { headers: { 'content-type'?: string | undefined } }): boolean {
  return /^application\/(?:[\w.+-]+\+)?json/i.test(request.headers['content-type'] ?? '')
}

export function queryOf(request: Request): Given {
  const start = request.url.indexOf('?')
  return start === -1 ? {} : parsePairs(request.url.slice(start + 1))
}

/** The body's values by name; a file is a `File`. Throws 400 or 415. */
export async function bodyOf(request: Request): Promise<Given> {
  const body: unknown = request.body
  const type = request.headers['content-type']
  if (Buffer.isBuffer(body)) return readMultipart(body, type ?? '')
  if (typeof body === 'string' && !isJson(request)) return parsePairs(body)
  if (body === undefined || body === null) {
    const empty = (request.headers['content-length'] ?? '0') === '0' && request.headers['transfer-encoding'] === undefined
    if (empty || type === undefined || isJson(request)) return {}
    throw new Refusal(415, { error: `The provided content-type '${type}' is not supported.` })
  }
  if (typeof body !== 'object' || Array.isArray(body)) throw badParameter('the body is not an object')
  return body as Given
}

async function readMultipart(bytes: Buffer, type: string): Promise<Given> {
  let form: FormData
  try {
    form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw Object.assign(badParameter('the body is no multipart/form-data'), { cause })
  }
  const given: Given = Object.create(null)
  for (const [key, value] of form) takePair(given, key, value)
  return given
}
