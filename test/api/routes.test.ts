// Every route of the API page is declared, and the sandbox serves every declaration.
import { readFile } from 'node:fs/promises'
import { endpointsByName } from '../../src/api/index.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { ownFolder } from '../cli/own-folder.ts'
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

it('the contract declares every route', () => {
  expect(endpoints.map(routeOf), 'declare it in src/api/endpoints').toEqual(expect.arrayContaining(routes))
})

describe('the sandbox', () => {
  const { folder } = ownFolder()
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startSandbox({ rootToken: 'root-token', folder })
  })
  afterAll(() => sandbox.close())

  const ask = ({ method, path }: { method: string; path: string }, token: string) =>
    fetch(`${sandbox.url}/api/v4${path.replaceAll(/:[a-z_]+/g, '9')}`, { method, headers: { 'private-token': token } })

  // An unknown token is refused by every route, anonymous ones included; an unknown route is 404 before that.
  it('routes every endpoint, and answers none of them with an error of its own', async () => {
    const failed: string[] = []
    for (const endpoint of endpoints) {
      const refused = await ask(endpoint, 'nobody')
      const body = JSON.stringify(await refused.json())
      const answered = await ask(endpoint, 'root-token')
      await answered.body?.cancel()
      if (refused.status !== 401 || body !== '{"message":"401 Unauthorized"}' || answered.status >= 500)
        failed.push(`${routeOf(endpoint)}: ${refused.status} ${body}, then ${answered.status}`)
    }
    expect(failed).toEqual([])
  })

  it('answers 404 where the contract has no route', async () => {
    const response = await ask({ method: 'GET', path: '/nothing/here' }, 'nobody')
    expect([response.status, await response.json()]).toEqual([404, { error: '404 Not Found' }])
  })
})
