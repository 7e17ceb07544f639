// Details of single endpoints that are easily missed: defaults, required parameters, types, error statuses.
import { z } from 'zod'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpointsByName } from '../../src/api/index.ts'

const endpoints = [...endpointsByName.values()]
const take = (name: string): Endpoint => {
  const endpoint = endpointsByName.get(name)
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
  return endpoint
}
const parametersOf = (endpoint: Endpoint) => ({ ...endpoint.pathParams, ...endpoint.query, ...endpoint.body })
const accepts = (schema: z.ZodType | undefined, value: unknown) => schema?.safeParse(value).success
/** What a service fills in for the parameters that are not given. */
const defaultsOf = (endpoint: Endpoint) => {
  const filled = Object.entries(parametersOf(endpoint)).map(([key, schema]) => [key, schema.safeParse(undefined).data])
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
}
const paging = { page: 1, per_page: 20 }
const byName = { order_by: 'name', sort: 'asc' }
const newestFirst = { order_by: 'created_at', sort: 'desc' }

describe('defaults of the page (§4, §8)', () => {
  it.each<[string, Record<string, unknown>]>([
    ['groups.list', { ...byName, ...paging }],
    ['groups.subgroups', { ...byName, ...paging }],
    ['groups.projects', { ...newestFirst, ...paging }],
    ['projects.list', { ...newestFirst, ...paging }],
    ['projects.ofUser', { ...newestFirst, ...paging }],
    ['projects.forks', { ...newestFirst, ...paging }],
    ['mergeRequests.listAll', { scope: 'created-by-me', state: 'all', ...newestFirst, ...paging }],
    ['mergeRequests.list', { scope: 'all', state: 'all', ...newestFirst, ...paging }],
    // Not on the page: the service's own default.
    ['groups.get', { with_projects: true }],
  ])('%s', (name, defaults) => {
    expect(defaultsOf(take(name))).toEqual(defaults)
  })

  it('every list takes pages of 1 to 100 entries', () => {
    for (const { name, query } of endpoints.filter((each) => each.paged === true)) {
      const sizes = [0, 1, 20, 100, 101].filter((size) => accepts(query.per_page, size))
      expect([name, sizes, accepts(query.page, 0)]).toEqual([name, [1, 20, 100], false])
    }
  })
})

describe('ids in paths (§4, §4.2)', () => {
  it('are the integer alone for approvals', () => {
    const named = endpoints.filter(({ integerId }) => integerId === true).map(({ name }) => name)
    expect(named).toEqual(['mergeRequests.approvals', 'mergeRequests.approve', 'mergeRequests.unapprove'])
  })
  it('are a string for versions', () => {
    for (const name of ['list', 'get']) expect(take(`mergeRequests.versions.${name}`).pathParams.id?.parse(7)).toBe('7')
  })
  it('are a user’s id or name for their projects, the id alone to create one for them', () => {
    expect(accepts(take('projects.ofUser').pathParams.user_id, 'ada')).toBe(true)
    expect(accepts(take('projects.createForUser').pathParams.user_id, 'ada')).toBe(false)
  })
})

describe('types of fields that are easily taken for others (§2)', () => {
  const field = (name: string, ...path: string[]): z.ZodType | undefined => {
    let schema: z.ZodType | undefined = Object.values(take(name).responses)[0]
    if (schema instanceof z.ZodArray) schema = schema.element as z.ZodType
    for (const key of path) schema = schema instanceof z.ZodObject ? (schema.shape[key] as z.ZodType) : undefined
    return schema
  }
  it.each<[string, string[], unknown, unknown]>([
    ['mergeRequests.get', ['changes_count'], '1000+', 12],
    ['mergeRequests.versions.list', ['real_size'], '3', 3],
    ['mergeRequests.timeStats', ['human_time_estimate'], null, 0],
    ['mergeRequests.timeStats', ['time_estimate'], 12_600, '3h 30m'],
    ['mergeRequests.get', ['state'], 'reopened', 'open'],
    ['mergeRequests.get', ['assignee'], null, ''],
    ['mergeRequests.get', ['merge_status'], 'unchecked', null],
    ['mergeRequests.get', ['should_remove_source_branch'], null, 'yes'],
    ['mergeRequests.get', ['approvals_before_merge'], null, '1'],
    ['projects.get', ['tag_list'], ['a'], 'a,b'],
    ['projects.get', ['description'], null, 5],
    ['groups.list', ['parent_id'], null, 'group'],
    ['projects.hooks.get', ['wiki_page_events'], true, 'true'],
    ['projects.pushRule.get', ['max_file_size'], 5, '5 MB'],
  ])('%s %j is %j, not %j', (name, path, right, wrong) => {
    const schema = field(name, ...path)
    expect([accepts(schema, right), accepts(schema, wrong)]).toEqual([true, false])
  })

  it('an external tracker’s issue is its text id and its title', () => {
    const schema = take('mergeRequests.closesIssues').responses[200]
    expect(accepts(schema, [{ id: 'PROJ-1', title: 'Broken' }])).toBe(true)
    expect(accepts(schema, [{ id: 1, title: 'Broken' }])).toBe(false)
  })
  it('a hook never shows its token', () => {
    for (const name of ['list', 'get', 'create', 'update'])
      expect(field(`projects.hooks.${name}`, 'token')).toBeUndefined()
  })
  it('a list is shorter where it is asked to be', () => {
    const keys = (name: string) => {
      const { by, schema } = take(name).reduced ?? {}
      const entry = schema instanceof z.ZodArray ? schema.element : undefined
      return [by, entry instanceof z.ZodObject ? Object.keys(entry.shape).sort() : undefined]
    }
    expect(keys('groups.list')).toEqual(['search', ['description', 'id', 'name', 'path']])
    expect(keys('projects.list')).toEqual(['simple', ['id', 'name', 'path', 'web_url']])
    expect(keys('mergeRequests.list')).toEqual(['view', ['description', 'iid', 'state', 'title', 'web_url']])
  })
})

describe('statuses of the page (§3.3, §7)', () => {
  it('304 is an answer of subscribe, unsubscribe, todo, star and unstar', () => {
    const named = endpoints.flatMap(({ responses, name }) => (304 in responses ? [name] : []))
    expect(named.filter((name) => name !== 'projects.deleteForkRelation').sort()).toEqual([
      ...['issues.subscribe', 'issues.todo', 'issues.unsubscribe'],
      ...['mergeRequests.subscribe', 'mergeRequests.todo', 'mergeRequests.unsubscribe'],
      ...['projects.star', 'projects.unstar'],
    ])
  })
  it.each<[string, number[]]>([
    ['mergeRequests.accept', [401, 405, 406, 409]],
    ['mergeRequests.cancelMergeWhenPipelineSucceeds', [401, 405, 406]],
    ['mergeRequests.approve', [409]],
  ])('%s declares %j', (name, statuses) => {
    expect(Object.keys(take(name).errors ?? {}).map(Number)).toEqual(expect.arrayContaining(statuses))
  })
  it('unshare answers 204 only; delete of a hook 200, or 204 where there was none', () => {
    expect(Object.keys(take('projects.unshare').responses)).toEqual(['204'])
    expect(Object.keys(take('projects.hooks.delete').responses)).toEqual(['200', '204'])
  })
})

it('calls without a token (§5) are allowed for lists of groups and projects and for one of them, and nowhere among merge requests', () => {
  const anonymous = endpoints.filter((each) => each.anonymous === true).map(({ name }) => name)
  expect(anonymous).toEqual(expect.arrayContaining(['groups.list', 'groups.get', 'projects.list', 'projects.get']))
  expect(anonymous.filter((name) => name.startsWith('mergeRequests.'))).toEqual([])
  for (const name of anonymous) expect(take(name).method).toBe('GET')
})
