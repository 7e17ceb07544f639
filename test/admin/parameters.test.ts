// Every route of the admin API (from the OpenAPI document) answers 400 to invalid parameters and never 5xx.
import { randomUUID } from 'node:crypto'
import { adminOpenApi } from '../../src/admin/api/openapi.ts'
import { adminRoutes } from '../../src/admin/api/routes/index.ts'
import { useStores } from '../bot/stores.ts'
import { jsonPost, queuesOf, TOKEN, useAdmin } from './serve-admin.ts'

interface Schema {
  type?: string
  enum?: string[]
  maxLength?: number
  anyOf?: Schema[]
}
interface Operation {
  operationId: string
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[]
  requestBody?: {
    content: { 'application/json': { schema: { properties: Record<string, Schema>; required?: string[] } } }
  }
}
/** Where each of an operation's parameters goes. */
type Values = Record<'path' | 'query' | 'body', Record<string, unknown>>

const { paths } = adminOpenApi(adminRoutes) as { paths: Record<string, Record<string, Operation>> }
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation, name: operation.operationId })),
)
type Listed = (typeof operations)[number]

const long = 'x'.repeat(6_000)
// Valid texts that trouble stores, logs and terminals.
const odd = ['\u0000', 'a\u001b[2J\r\nb', "'; DROP TABLE x -- %{", '__proto__']
const noNumbers = ['x', '1.5', '-1', '1e3', '9'.repeat(20)]

const stores = useStores({ own: true })
let isRecorded = false
const queue = () => stores.queue.queue<unknown>(`queue-${randomUUID()}`)
const admin = useAdmin(() => ({
  journal: {
    ...stores.journal,
    // Two writes for each of a thousand refused requests would take most of the time.
    audit: {
      ...stores.journal.audit,
      save: async (entry) => (isRecorded ? stores.journal.audit.save(entry) : undefined),
    },
  },
  queues: queuesOf(queue),
  paused: { list: async () => [], pause: async () => {}, resume: async () => 0 },
  replay: { delivery: async () => ({ is: 'unknown' }), decision: async () => ({ is: 'unknown' }) },
  freezes: { last: async () => undefined, change: async () => {} },
  dryRun: async () => ({ ok: false, reason: 'it is away' }),
  sweep: async (of, dryRun) => ({
    ...{ id: 's', of, dryRun, state: 'waiting', askedAt: new Date().toISOString() },
    projects: [],
    calls: 0,
  }),
}))

function parametersOf({ parameters, requestBody }: Listed) {
  const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {}
  return [
    ...parameters,
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      in: 'body' as const,
      required: required.includes(name),
      schema,
    })),
  ]
}

/** A valid value for each required parameter; a freeze must have an end. */
function base(operation: Listed): Values {
  const values: Values = { path: {}, query: {}, body: {} }
  for (const { name, in: place, required, schema } of parametersOf(operation))
    if (required)
      values[place][name] = schema.enum?.[0] ?? (schema.type === 'integer' ? 7 : name === 'until' ? '2h' : 'x')
  return values
}

async function ask({ path, method }: Listed, { path: inPath, query, body }: Values): Promise<number> {
  const filled = path
    .replace(/^\/admin\/api/, '')
    .replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(inPath[name])))
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const each of [value].flat()) asked.append(name, String(each))
  const sent = method === 'post' ? jsonPost(body) : { headers: { authorization: `Bearer ${TOKEN}` } }
  return (await admin.ask(`${filled}?${asked}`, sent)).status
}

/** Invalid values for the parameter. */
function nonsense({ schema, in: place }: ReturnType<typeof parametersOf>[number]): unknown[] {
  const isNumber = schema.type === 'integer'
  // An unknown id is 404, however long.
  if (place === 'path') return isNumber ? noNumbers : schema.enum === undefined ? [] : [...odd, long]
  const most = [schema, ...(schema.anyOf ?? [])].map(({ maxLength = 0 }) => maxLength)
  const ofKind = isNumber ? noNumbers : [long.padEnd(Math.max(...most) + 1, 'x')]
  if (place === 'query') return [...ofKind, ['1', '1']]
  return [...ofKind, ...(isNumber ? [true, [7]] : [7]), { a: 1 }, [[]]]
}

const withValue = (given: Values, { name, in: place }: { name: string; in: keyof Values }, value: unknown): Values => ({
  ...given,
  [place]: { ...given[place], [name]: value },
})

test('every operation takes what it documents, and answers 400 to the rest', async () => {
  isRecorded = false
  const wrong: string[] = []
  for (const operation of operations) {
    const given = base(operation)
    if ((await ask(operation, given)) === 400) wrong.push(`${operation.name} refuses valid parameters`)
    const unknown = { ...given, query: { ...given.query, unknown: '1' } }
    if ((await ask(operation, unknown)) !== 400) wrong.push(`${operation.name} takes an unknown parameter`)
    const cases = parametersOf(operation).flatMap((each) => nonsense(each).map((value) => ({ each, value })))
    const statuses = await Promise.all(cases.map(({ each, value }) => ask(operation, withValue(given, each, value))))
    for (const [index, { each, value }] of cases.entries())
      if (statuses[index] !== 400)
        wrong.push(`${operation.name} ${each.name}=${JSON.stringify(value)}: ${statuses[index]}`)
  }
  expect(wrong).toEqual([])
})

test('no operation fails at odd texts, in the audit log either', async () => {
  isRecorded = true
  const failed: string[] = []
  for (const operation of operations) {
    const given = base(operation)
    for (const each of parametersOf(operation))
      for (const value of each.in === 'body' ? [...odd, '\ud800', null] : odd) {
        const status = await ask(operation, withValue(given, each, value))
        if (status >= 500) failed.push(`${operation.name} ${each.name}=${JSON.stringify(value)}: ${status}`)
      }
  }
  expect(failed).toEqual([])
})
