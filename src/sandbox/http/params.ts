// Reads parameters from path, query and body (JSON, forms, multipart), and checks them, with GitLab's errors.
import express, { type Request, type RequestHandler } from 'express'
import * as z from 'zod'
import type { Endpoint } from '../../api/endpoint.ts'
import { isMap, valueAt } from '../../api/json.ts'
import { badParameter, ErrorResponse } from './error-response.ts'

/** Comma lists that may also come as arrays. */
const commaSeparated = new Set(['labels', 'add_labels', 'remove_labels'])

export type RawParams = Record<string, unknown>

/**
 * `iids[]=1&iids[]=2&custom_attributes[a]=b&state=all` → values by name; the last plain value wins. A list of objects
 * is `a[][x]=1&a[][y]=2`, in which a field that the last object has begins the next one.
 */
export function parsePairs(text: string): RawParams {
  const given: RawParams = Object.create(null)
  for (const [key, value] of new URLSearchParams(text)) addPair(given, key, value)
  return given
}

export function addPair(given: RawParams, name: string, value: unknown) {
  const [, list, field] = /^([^[]+)\[\]\[([^[\]]+)\]$/.exec(name) ?? []
  if (list !== undefined && field !== undefined) return addField(given, list, [field, value])
  const [, outer, inner] = /^([^[]+)\[([^[\]]*)\]$/.exec(name) ?? []
  const before = outer === undefined ? undefined : given[outer]
  if (outer === undefined || inner === undefined) {
    given[name] = value
  } else if (inner === '') {
    given[outer] = [...(Array.isArray(before) ? before : []), value]
  } else {
    // `iids[0]` as well: the declaration says whether it is a list or a mapping.
    const fields = isMap(before) ? before : Object.create(null)
    given[outer] = Object.assign(fields, { [inner]: value })
  }
}

function addField(given: RawParams, list: string, [field, value]: [string, unknown]) {
  const before = given[list]
  const entries: unknown[] = Array.isArray(before) ? before : []
  given[list] = entries
  const last = entries.at(-1)
  if (isEntry(last) && !Object.hasOwn(last, field)) last[field] = value
  else entries.push(Object.assign(Object.create(null), { [field]: value }))
}

/** An object of this file's, not a file of a form. */
function isEntry(value: unknown): value is RawParams {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
}

/** Throws 400 with the reason. */
export function checkParams(endpoint: Endpoint, places: { path: RawParams; query: RawParams; body: RawParams }) {
  const shape = { ...endpoint.query, ...endpoint.body, ...endpoint.pathParams }
  const given = { ...places.query, ...places.body, ...places.path }
  // Refuses NUL bytes and deep nesting before anything walks the value.
  for (const [name, value] of Object.entries(given))
    if (!isValidText(value)) throw badParameter(`${name.slice(0, 100)} is invalid`)
  const coerced: RawParams = {}
  for (const [name, schema] of Object.entries(shape)) {
    const value = Object.hasOwn(given, name) ? coerce(schema, given[name], name) : undefined
    if (value !== undefined)
      coerced[name] = name === 'per_page' && typeof value === 'number' ? Math.min(value, 100) : value
  }
  if (endpoint.needsOneOf === true) {
    const names = Object.keys(endpoint.body)
    if (!names.some((name) => Object.hasOwn(coerced, name))) {
      throw badParameter(`${names.join(', ')} are missing, at least one parameter must be provided`)
    }
  }
  const checked = z.object(shape).safeParse(coerced)
  if (!checked.success) throw refusalFor(checked.error, coerced)
  return checked.data
}

const deepest = 50

function isValidText(value: unknown, depth = 1): boolean {
  if (typeof value === 'string') return !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  return Object.entries(value).every(([key, inner]) => !key.includes('\0') && isValidText(inner, depth + 1))
}

// The words of Grape's booleans; Python's clients write True and False.
const trueWords = /^(?:1|t|true|y|yes|on|T|True|TRUE|Y|Yes|YES|On|ON)$/
const falseWords = /^(?:0|f|false|n|no|off|F|False|FALSE|N|No|NO|Off|OFF)$/

/** Converts text to what the schema expects; the schema refuses the rest. */
function coerce(schema: z.core.$ZodType, value: unknown, name: string): unknown {
  const definition = schema._zod.def as z.core.$ZodTypeDef & Record<string, unknown>
  switch (definition.type) {
    case 'optional':
    case 'default':
    case 'nullable':
      return coerce(definition.innerType as z.core.$ZodType, value, name)
    case 'pipe':
      return coerce(definition.in as z.core.$ZodType, value, name)
    case 'union':
      return coerceUnion(definition.options as z.core.$ZodType[], value, name)
    case 'literal':
      return (definition.values as unknown[]).find((each) => String(each) === plainText(value)) ?? value
    case 'array':
      return coerceArray(definition.element as z.core.$ZodType, value, name)
    case 'object':
      return coerceObject(definition.shape as Record<string, z.core.$ZodType>, value)
    case 'number':
      return typeof value === 'string' && /^\s*[-+]?\d+\s*$/.test(value) ? Number(value) : (value ?? undefined)
    case 'boolean':
      if (trueWords.test(plainText(value) ?? '')) return true
      return falseWords.test(plainText(value) ?? '') ? false : (value ?? undefined)
    case 'string':
      if (typeof value === 'number' || typeof value === 'boolean') return String(value)
      if (Array.isArray(value) && commaSeparated.has(name) && value.every((each) => typeof each !== 'object'))
        return value.map(plainText).join(',')
      return value ?? undefined
    default:
      return value ?? undefined
  }
}

function plainText(value: unknown) {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? undefined : String(value)
}

function coerceUnion(options: readonly z.core.$ZodType[], value: unknown, name: string): unknown {
  for (const option of options) {
    const coerced = coerce(option, value, name)
    if (coerced !== undefined && z.safeParse(option, coerced).success) return coerced
  }
  return value ?? undefined
}

function coerceArray(element: z.core.$ZodType, value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((each) => coerce(element, each, name))
  if (typeof value === 'object' && value !== null && Object.keys(value).every((key) => /^\d+$/.test(key))) {
    return Object.values(value).map((each) => coerce(element, each, name))
  }
  if (typeof value !== 'string') return value ?? undefined
  return value === '' ? [] : value.split(',').map((each) => coerce(element, each.trim(), name))
}

function coerceObject(shape: Record<string, z.core.$ZodType>, value: unknown): unknown {
  if (!isMap(value)) return value ?? undefined
  const entries = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined
    const coerced = schema === undefined ? undefined : coerce(schema, each, key)
    return coerced === undefined ? [] : [[key, coerced]]
  })
  return Object.fromEntries(entries)
}

function refusalFor(error: z.ZodError, given: RawParams) {
  const tooLong = error.issues.find((issue) => issue.code === 'too_big' && issue.origin === 'string')
  if (tooLong !== undefined && error.issues.length === 1 && tooLong.code === 'too_big') {
    return new ErrorResponse(400, {
      message: { [nameOf(tooLong)]: [`is too long (maximum is ${tooLong.maximum} characters)`] },
    })
  }
  const sentences = error.issues.map((issue) => `${nameOf(issue)} ${complaint(issue, given)}`)
  return badParameter([...new Set(sentences)].join(', '))
}

function nameOf(issue: z.core.$ZodIssue) {
  const [first, ...rest] = issue.path.map(String)
  return `${first ?? ''}${rest
    .filter((part) => !/^\d+$/.test(part))
    .map((part) => `[${part}]`)
    .join('')}`
}

function complaint(issue: z.core.$ZodIssue, given: RawParams): string {
  if (valueAt(given, issue.path) === undefined) return 'is missing'
  switch (issue.code) {
    case 'invalid_value':
      return 'does not have a valid value'
    case 'invalid_union':
      return issue.errors.flat().every((each) => each.code === 'invalid_value')
        ? 'does not have a valid value'
        : 'is invalid'
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int' ? 'does not have a valid value' : 'is empty'
    case 'too_big':
      return issue.origin === 'string' ? 'is too long' : 'is invalid'
    default:
      return 'is invalid'
  }
}

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
  if (!isMap(body)) throw badParameter('the body is not an object')
  return body
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
