// The declaration of every endpoint, from which client and sandbox are made by a loop.
import type { z } from 'zod'
import { type Endpoint, listEndpoints } from '../../src/api/endpoint.ts'
import { api, endpointsByName } from '../../src/api/index.ts'

const endpoints = listEndpoints(api)
const successes = [200, 201, 202, 204, 304]

function leafNames(tree: object, prefix: string): string[] {
  return Object.entries(tree).flatMap(([key, value]: [string, object]) =>
    'method' in value ? [`${prefix}${key}`] : leafNames(value, `${prefix}${key}.`),
  )
}

/** What is wrong with the declaration of one endpoint. */
function problemsOf({ name, method, path, doc, pathParams, query, body, ...endpoint }: Endpoint): string[] {
  const parameters = [pathParams, query, body].flatMap((shape) => Object.keys(shape))
  const inPath = [...path.matchAll(/:([a-z_]+)/g)].map(([, key = '']) => key)
  const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success
  const isWrite = method === 'POST' || method === 'PUT'
  const statuses = Object.entries(endpoint.responses).map(([status, schema]) => ({ status: Number(status), schema }))
  const explained = [...Object.keys(endpoint.errors ?? {}), ...Object.keys(endpoint.means ?? {})].map(Number)
  const rules: Record<string, boolean> = {
    'declares exactly the parameters in its path': Object.keys(pathParams).sort().join() === inPath.sort().join(),
    'has each parameter in one place': new Set(parameters).size === parameters.length,
    'requires its path parameters': !Object.values(pathParams).some(isOptional),
    'declares success statuses': statuses.length > 0 && statuses.every(({ status }) => successes.includes(status)),
    'has no body exactly for 204 and 304': statuses.every(
      ({ status, schema }) => schema.safeParse(null).success === (status === 204 || status === 304),
    ),
    'explains only 4xx statuses': explained.every((status) => status >= 400 && status < 500),
    'has a body only with POST, PUT and PATCH, a query only with GET and DELETE':
      Object.keys(isWrite ? query : body).length === 0,
    'takes page and per_page exactly where it is paged':
      ('page' in query && 'per_page' in query) === (endpoint.paged === true),
    'returns a list where it is paged':
      endpoint.paged !== true || endpoint.responses[200]?.safeParse([]).success === true,
    'requires one of its attributes only where none is required': !(
      endpoint.needsOneOf === true && !Object.values(body).every(isOptional)
    ),
    'is explained in a sentence': doc.endsWith('.'),
  }
  return Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [`${name}: not true that it ${rule}`]))
}

it('every endpoint is declared as client and sandbox need it', () => {
  expect(endpoints.flatMap(problemsOf)).toEqual([])
})

it('every endpoint has the name of its place in the tree, once, and is found by it', () => {
  const names = endpoints.map(({ name }) => name)
  expect(names).toEqual(leafNames(api, ''))
  expect(new Set(names).size).toBe(names.length)
  expect([...endpointsByName]).toEqual(endpoints.map((each) => [each.name, each]))
})

it('no method and path is declared twice', () => {
  const routes = endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(routes).toEqual([...new Set(routes)])
})
