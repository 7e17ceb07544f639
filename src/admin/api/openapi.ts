// The OpenAPI 3.1 document of the admin API, made from its routes.
import * as z from 'zod'
import type { AdminRoute } from './route.ts'

type Json = Record<string, unknown>

const commonErrors: Readonly<Record<number, string>> = {
  400: 'The parameters are invalid.',
  401: 'The token is missing or wrong.',
  403: 'The token lacks the scope that the operation needs.',
  429: 'Too many wrong tokens came from this address.',
}
const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** The document, as plain JSON. */
export function adminOpenApi(routes: readonly AdminRoute[]): Json {
  const paths: Record<string, Json> = {}
  for (const each of routes) {
    const path = `/admin/api${each.path}`
    paths[path] = { ...paths[path], [each.method]: operation(each) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bellhop admin API',
      version: '1',
      description:
        'Inspects and operates a running Bellhop. GET never writes; every POST that may change something is in the audit log.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:8080' } } }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: { Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } } },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of BELLHOP_ADMIN_TOKENS, or BELLHOP_ADMIN_TOKEN.',
        },
      },
    },
  }
}

function operation(route: AdminRoute): Json {
  const { name, method, doc, scope, input, responses, file, errors = {} } = route
  const hasBody = method === 'post' && Object.keys(input.shape).length > 0
  return {
    operationId: name,
    summary: doc,
    description: `Needs the scope \`${scope}\`.`,
    parameters: parametersOf(route).filter((each) => method === 'get' || each.in === 'path'),
    ...(hasBody && { requestBody: { content: { 'application/json': { schema: jsonSchema(input, 'input') } } } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, schema]) => [
          status,
          {
            description: status === '202' ? 'Accepted.' : 'Done.',
            content: { [file?.type ?? 'application/json']: { schema: jsonSchema(schema, 'output') } },
          },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries({ ...commonErrors, ...errors }).map(([status, description]) => [
          status,
          { description, content: errorContent },
        ]),
      ),
    },
  }
}

export interface Parameter {
  name: string
  /** A POST has those of the query in its body. */
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: { enum?: string[]; format?: string; default?: unknown }
}

/** Those of the path first, in its order. */
export function parametersOf({ path, params, input }: AdminRoute): Parameter[] {
  return [
    ...[...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => parameter(name, 'path', params)),
    ...Object.keys(input.shape).map((name) => parameter(name, 'query', input)),
  ]
}

function parameter(name: string, place: Parameter['in'], of: z.ZodObject): Parameter {
  const shape: z.ZodType = of.shape[name] ?? z.string()
  const { description, ...schema } = jsonSchema(shape, 'input')
  const { success: isOptional, data: byDefault } = shape.safeParse(undefined)
  return {
    name,
    in: place,
    required: place === 'path' || !isOptional,
    ...(typeof description === 'string' && { description }),
    schema: { ...schema, ...(byDefault !== undefined && { default: byDefault }) },
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
