// The walk over the page's routes: each is declared, and each declaration is served by the sandbox (api-v4.md §4.1–4.3).
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpointsByName } from '../../src/api/index.ts'
import { handlers } from '../../src/sandbox/endpoints/index.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { page, routesOfPage } from './page.ts'

const endpoints = [...endpointsByName.values()]
const routes = (await readFile(new URL('routes.txt', import.meta.url), 'utf8')).trim().split('\n')
const routeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

describe('the committed list of routes', () => {
  it('holds 12 routes of groups, 26 of merge requests and 30 of projects, each once', () => {
    const area = (route: string) =>
      route.includes('merge_request') ? 'merge requests' : route.includes(' /groups') ? 'groups' : 'projects'
    const counts = Object.fromEntries(
      ['groups', 'merge requests', 'projects'].map((name) => [
        name,
        routes.filter((each) => area(each) === name).length,
      ]),
    )
    expect(counts).toEqual({ groups: 12, 'merge requests': 26, projects: 30 })
    expect(new Set(routes).size).toBe(routes.length)
  })

  it.skipIf(page === undefined)(
    'is what the tables of the page say (skipped where ../shared/api-v4.md is absent)',
    () => {
      expect(routes).toEqual(routesOfPage(page ?? ''))
    },
  )
})

describe('the contract', () => {
  it.each(routes)('declares %s', (route) => {
    expect(endpoints.map(routeOf), `declare ${route} in src/api/endpoints`).toContain(route)
  })
})

describe('the sandbox', () => {
  let folder: string
  let sandbox: Sandbox
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'routes-'))
    sandbox = await startSandbox({ rootToken: 'root-token', folder })
  })
  afterAll(async () => {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(endpoints)('has a handler for $name', ({ name }) => {
    const handler: unknown = name.split('.').reduce((part: object, key) => Reflect.get(part, key), handlers)
    expect(handler, `write the handler of ${name} in src/sandbox/endpoints`).toBeTypeOf('function')
  })

  // A token that nobody has is refused by every route, anonymous ones included; what is no route is not found before that.
  it.each(endpoints.map((endpoint) => [routeOf(endpoint), endpoint] as const))(
    'routes %s',
    async (_, { method, path }) => {
      const response = await fetch(`${sandbox.url}/api/v4${path.replaceAll(/:[a-z_]+/g, '1')}`, {
        method,
        headers: { 'private-token': 'nobody' },
      })
      expect([response.status, await response.json()]).toEqual([401, { message: '401 Unauthorized' }])
    },
  )

  it.each(endpoints)('answers $name without failing', async ({ method, path }) => {
    const response = await fetch(`${sandbox.url}/api/v4${path.replaceAll(/:[a-z_]+/g, '9')}`, {
      method,
      headers: { 'private-token': 'root-token' },
    })
    expect(response.status).toBeLessThan(500)
  })

  it('answers 404 where the contract has no route', async () => {
    const response = await fetch(`${sandbox.url}/api/v4/nothing/here`, { headers: { 'private-token': 'nobody' } })
    expect([response.status, await response.json()]).toEqual([404, { error: '404 Not Found' }])
  })
})
