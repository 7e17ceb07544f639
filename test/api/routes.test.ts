// Every route of the API page is declared.
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { endpointsByName } from '../../src/api/index.ts'
import { page, routesOfPage } from './page.ts'

const routes = (await readFile(new URL('routes.txt', import.meta.url), 'utf8')).trim().split('\n')
const declared = [...endpointsByName.values()].map(({ method, path }) => `${method} ${path}`)

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
  expect(declared, 'declare it in src/api/endpoints').toEqual(expect.arrayContaining(routes))
})
