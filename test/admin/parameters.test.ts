// Whatever a parameter of the admin API is given, it is an answer below 500, and 400 where it cannot be meant. Read from the OpenAPI document: a new route is tried by itself.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { adminOpenApi } from '../../src/admin/api/openapi.ts'
import { adminRoutes } from '../../src/admin/api/routes/index.ts'
import { useStores } from '../bot/stores.ts'
import { TOKEN, useAdmin } from './serve-admin.ts'

interface Schema {
  type?: string
  enum?: string[]
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
// Texts that may be meant, but trouble stores, logs and terminals.
const odd = ['\u0000', 'a\u001b[2J\r\nb', "'; DROP TABLE x -- %{", '__proto__']
const noNumbers = ['x', '1.5', '-1', '1e3', '9'.repeat(20)]

const stores = useStores()
const queue = () => stores.queue.queue<unknown>(`queue-${randomUUID()}`)
const admin = useAdmin(() => ({
  journal: stores.journal,
  queues: {
    deliveries: queue(),
    mergeRequests: queue(),
    ruleChanges: queue(),
    sweeps: queue(),
    timers: queue(),
    notices: queue(),
  },
  paused: { list: async () => [], pause: async () => {}, resume: async () => 0 },
  replay: { delivery: async () => ({ is: 'unknown' }), decision: async () => ({ is: 'unknown' }) },
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

/** Something that is understood for all that is needed. */
function base(operation: Listed): Values {
  const values: Values = { path: {}, query: {}, body: {} }
  for (const { name, in: place, required, schema } of parametersOf(operation))
    if (required) values[place][name] = schema.enum?.[0] ?? (schema.type === 'integer' ? 7 : 'x')
  return values
}

async function ask({ path, method }: Listed, { path: inPath, query, body }: Values): Promise<number> {
  const filled = path
    .replace(/^\/admin\/api/, '')
    .replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(inPath[name])))
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const each of [value].flat()) asked.append(name, String(each))
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const sent = method === 'post' ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await admin.ask(`${filled}?${asked}`, { headers, ...sent })).status
}

/** What cannot be meant by a parameter of that kind. */
function nonsense({ schema, in: place }: ReturnType<typeof parametersOf>[number]): unknown[] {
  const isNumber = schema.type === 'integer'
  // Of most ids there is nothing, however long they are.
  if (place === 'path') return isNumber ? noNumbers : schema.enum === undefined ? [] : [...odd, long]
  const ofKind = isNumber ? noNumbers : [long]
  if (place === 'query') return [...ofKind, ['1', '1']]
  return [...ofKind, ...(isNumber ? [true, [7]] : [7]), { a: 1 }, [[]]]
}

describe.each(operations)('$name', (operation) => {
  test('understands what it documents, and nothing else', async () => {
    const given = base(operation)
    expect(await ask(operation, given)).not.toBe(400)
    expect(await ask(operation, { ...given, query: { ...given.query, unknown: '1' } })).toBe(400)
    for (const parameter of parametersOf(operation)) {
      const wrong: unknown[] = []
      for (const value of nonsense(parameter))
        if (
          (await ask(operation, { ...given, [parameter.in]: { ...given[parameter.in], [parameter.name]: value } })) !==
          400
        )
          wrong.push(value)
      expect(wrong, parameter.name).toEqual([])
    }
  })

  test('breaks of no odd text', async () => {
    const given = base(operation)
    for (const { name, in: place } of parametersOf(operation))
      for (const value of place === 'body' ? [...odd, '\ud800', null] : odd)
        expect(
          await ask(operation, { ...given, [place]: { ...given[place], [name]: value } }),
          `${name}: ${value}`,
        ).toBeLessThan(500)
  })
})
