// The contract as a tree: what every endpoint's declaration must hold, so that client and sandbox can be made by a loop over it.
import { describe, expect, it } from 'vitest'
import { listEndpoints } from '../../src/api/endpoint.ts'
import { api, endpointsByName } from '../../src/api/index.ts'

const endpoints = listEndpoints(api)

function leafNames(tree: object, prefix: string): string[] {
  return Object.entries(tree).flatMap(([key, value]: [string, object]) =>
    'method' in value ? [`${prefix}${key}`] : leafNames(value, `${prefix}${key}.`),
  )
}

describe('the contract', () => {
  it('gives every endpoint the name of its place in the tree', () => {
    expect(endpoints.map(({ name }) => name)).toEqual(leafNames(api, ''))
  })

  it('gives every name once', () => {
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length)
  })

  it('finds every endpoint by its name', () => {
    expect([...endpointsByName.keys()]).toEqual(endpoints.map(({ name }) => name))
    for (const endpoint of endpoints) expect(endpointsByName.get(endpoint.name)).toBe(endpoint)
  })

  it('does not declare one method and path twice', () => {
    const routes = endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(routes).toEqual([...new Set(routes)])
  })
})

describe.each(endpoints)('$name', (endpoint) => {
  it('declares exactly the parameters that its path names', () => {
    const inPath = [...endpoint.path.matchAll(/:([a-z_]+)/g)].map(([, key]) => key)
    expect(Object.keys(endpoint.pathParams).sort()).toEqual(inPath.sort())
  })

  it('keeps every parameter in one place only', () => {
    const keys = [endpoint.pathParams, endpoint.query, endpoint.body].flatMap((shape) => Object.keys(shape))
    expect(keys).toEqual([...new Set(keys)])
  })

  it('requires its path parameters', () => {
    for (const schema of Object.values(endpoint.pathParams)) expect(schema.safeParse(undefined).success).toBe(false)
  })

  it('answers with success statuses only, empty exactly for 204 and 304', () => {
    const statuses = Object.keys(endpoint.answers).map(Number)
    expect(statuses.length).toBeGreaterThan(0)
    for (const status of statuses) {
      expect([200, 201, 202, 204, 304]).toContain(status)
      expect(endpoint.answers[status]?.safeParse(null).success).toBe(status === 204 || status === 304)
    }
  })

  it('explains 4xx statuses only, and gives a meaning to no success', () => {
    const explained = [...Object.keys(endpoint.errors ?? {}), ...Object.keys(endpoint.means ?? {})].map(Number)
    for (const status of explained) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
  })

  it('sends a body with POST and PUT only, a query with GET and DELETE only', () => {
    const writes = endpoint.method === 'POST' || endpoint.method === 'PUT'
    if (!writes) expect(endpoint.body).toEqual({})
    if (writes) expect(endpoint.query).toEqual({})
  })

  it('takes page and per_page if, and only if, its answer is a list in pages', () => {
    const takesPages = 'page' in endpoint.query && 'per_page' in endpoint.query
    expect(takesPages).toBe(endpoint.paged === true)
    if (endpoint.paged === true) expect(endpoint.answers[200]?.safeParse([]).success).toBe(true)
  })

  it('requires one of its attributes only where none is required by itself', () => {
    if (endpoint.needsOneOf !== true) return
    for (const schema of Object.values(endpoint.body)) expect(schema.safeParse(undefined).success).toBe(true)
  })

  it('is explained in a sentence', () => {
    expect(endpoint.doc).toMatch(/\.$/)
  })
})
