// Our client sends every parameter of every endpoint, and the sandbox reads the call that was meant.
import * as z from 'zod'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpointsByName } from '../../src/api/index.ts'
import { createClient } from '../../src/client/create-client.ts'
import { ErrorResponse } from '../../src/sandbox/http/error-response.ts'
import { openWorld } from '../sandbox/sandbox-world.ts'
import { serviceError } from './world.ts'

/** A parameter gets the first of these that its schema takes. */
const values = [
  ...['ä/b c&d=1?#%', 'https://code.example/a?b=c', '#ff0000', '2026-01-31', 'a'.repeat(40), '1h', 'name'],
  ...[7, 30, true, ['ä/b&', 'c'], [4, 5], { 'ä&': 'b c' }, new File(['x'], 'a.png')],
  [{ action: 'create', file_path: 'ä/b', content: '&' }],
]

type Call = (params: Record<string, unknown>) => Promise<unknown>

function valueFor(name: string, schema: z.ZodType): unknown {
  const named = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).enum?.at(-1)
  const found = [...(named === undefined ? [] : [named]), ...values].find((each) => schema.safeParse(each).success)
  expect(found, `a value for ${name}`).toBeDefined()
  return found
}

function paramsFor({ pathParams, query, body, integerId }: Endpoint): Record<string, unknown> {
  // Labels that replace all go without those that are added or removed.
  const { add_labels, remove_labels, ...shape } = { ...pathParams, ...query, ...body }
  const all = shape.labels === undefined ? { add_labels, remove_labels, ...shape } : shape
  const given = Object.entries(all).flatMap(([name, schema]) => (schema ? [[name, valueFor(name, schema)]] : []))
  return { ...Object.fromEntries(given), ...(integerId === true ? { id: 7 } : {}) }
}

it('every endpoint is called by its function, with all parameters', async () => {
  let read: unknown
  const gate = async ({ endpoint, params }: { endpoint: string; params: Record<string, unknown> }) => {
    read = [endpoint, params]
    throw new ErrorResponse(418, { message: 'was read' })
  }
  const world = await openWorld({ gate })
  const client = createClient({ baseUrl: world.url, token: 'root-token', attempts: 1 })
  for (const [name, endpoint] of endpointsByName) {
    const params = paramsFor(endpoint)
    const call = name.split('.').reduce<unknown>((level, key) => Reflect.get(Object(level), key), client) as Call
    const { status, message } = await serviceError(call(params))
    expect([status, message], name).toEqual([418, expect.stringContaining('was read')])
    const schema = z.object({ ...endpoint.query, ...endpoint.body, ...endpoint.pathParams })
    expect(read, name).toMatchObject([name, schema.parse(params)])
  }
})

it('a list of three pages is read to its end, by the addresses that the sandbox gives', async () => {
  const client = createClient({ baseUrl: (await openWorld()).url, token: 'root-token' })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await client.groups.create({ name, path: name })
  const pages = client.pages(client.groups.list, { per_page: 2, sort: 'desc' }, { maxPages: 9 })
  const { items, complete } = await pages.collect()
  expect([items.map((each) => each.name), complete]).toEqual([['e', 'd', 'c', 'b', 'a'], true])
})

it('answers that no test of the sandbox reads are as the contract says', async () => {
  const world = await openWorld()
  const hook = { url: 'http://127.0.0.1:9/hook', token: 'hush' }
  const group = await world.group('Tools')
  for (const hooks of [`/groups/${group.id}/hooks`, '/hooks']) {
    const { id } = await world.post(hooks, hook)
    expect(await world.put(`${hooks}/${id}`, { ...hook, push_events: false })).toMatchObject({ push_events: false })
    expect(await world.get(hooks)).toMatchObject([{ id, token_present: true }])
    if (hooks !== '/hooks') expect(await world.get(`${hooks}/${id}`)).toMatchObject({ id })
    await world.delete(`${hooks}/${id}`)
    expect(await world.get(hooks)).toEqual([])
  }
  const [member] = await world.get(`/groups/${group.id}/members`)
  expect(await world.get(`/groups/${group.id}/members/${member.id}`)).toEqual(member)
  const project = `/projects/${(await world.post('/projects', { name: 'app' })).id}`
  const own = await world.post(`${project}/hooks`, hook)
  expect(await world.get(`${project}/hooks/${own.id}/events`)).toEqual([])
  const milestone = await world.post(`${project}/milestones`, { title: 'v1' })
  await world.delete(`${project}/milestones/${milestone.id}`)
  const issue = await world.post(`${project}/issues`, { title: 'Broken' })
  const thread = await world.post(`${project}/issues/${issue.iid}/discussions`, { body: 'Why?' })
  expect(await world.get(`${project}/issues/${issue.iid}/discussions/${thread.id}`)).toEqual(thread)
})
