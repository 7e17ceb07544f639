// The contract as an OpenAPI 3.1 document.
import * as z from 'zod'
import type { Endpoint } from './endpoint.ts'
import { endpointsByName } from './index.ts'
import * as groups from './schemas/group.ts'
import * as issues from './schemas/issue.ts'
import * as mergeRequests from './schemas/merge-request.ts'
import * as projects from './schemas/project.ts'
import * as repository from './schemas/repository.ts'
import * as users from './schemas/user.ts'

type Json = Record<string, unknown>
type SchemaOf = (part: string) => Json

const meanings: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created or done.',
  202: 'Accepted: the work goes on after the answer.',
  204: 'Done; no content.',
  304: 'It was already so; nothing changed, no content.',
}
const refusal = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
/** In the shapes that the service uses. */
const refusalSchema = {
  type: 'object',
  properties: {
    message: { description: 'A text, a list of texts, or texts by field.' },
    error: { type: 'string' },
    error_description: { type: 'string' },
  },
}
const pageHeaders = {
  Link: {
    description: 'Addresses of the pages with rel `prev`, `next`, `first` and `last`.',
    schema: { type: 'string' },
  },
  ...Object.fromEntries(
    ['X-Page', 'X-Per-Page', 'X-Prev-Page', 'X-Next-Page', 'X-Total', 'X-Total-Pages'].map((name) => [
      name,
      { description: 'Empty where there is no such page.', schema: { type: 'string' } },
    ]),
  ),
}

export function openApiDocument(): Json {
  const endpoints = [...endpointsByName.values()]
  const { described, components } = describeSchemas(endpoints)
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:([a-z_]+)/g, '{$1}')
    const schemaOf: SchemaOf = (part) => described[endpoint.name]?.properties[part] ?? {}
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, schemaOf) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Repository hosting service, API v4',
      version: 'v4',
      description: 'Groups, merge requests and projects, and what else clients need. Generated from the contract.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{base_url}/api/v4', variables: { base_url: { default: 'http://127.0.0.1:3000' } } }],
    security: [{ privateToken: [] }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...components, Refusal: refusalSchema },
      responses: { Refused: { description: 'Refused: 4xx with what is wrong.', content: refusal } },
      securitySchemes: {
        privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'A personal token.' },
      },
    },
  }
}

function tagOf({ name }: Endpoint) {
  return name.split('.')[0] ?? name
}

function partsOf({ pathParams, query, body, responses, reduced }: Endpoint) {
  const parts: Record<string, z.ZodType> = { ...pathParams, ...query, ...body }
  for (const [status, schema] of Object.entries(responses)) parts[`answer ${status}`] = schema
  return z.object(reduced === undefined ? parts : { ...parts, reduced: reduced.schema })
}

function operation(endpoint: Endpoint, schemaOf: SchemaOf): Json {
  const body = requestBody(endpoint, schemaOf)
  return {
    operationId: endpoint.name,
    tags: [tagOf(endpoint)],
    summary: endpoint.doc,
    ...(notes(endpoint) !== '' && { description: notes(endpoint) }),
    ...(endpoint.anonymous === true && { security: [{}, { privateToken: [] }] }),
    parameters: parameters(endpoint, schemaOf),
    ...(body !== undefined && { requestBody: body }),
    responses: responses(endpoint, schemaOf),
  }
}

/** Constraints that no schema expresses. */
function notes({ needsOneOf, alwaysSent, otherMethod, integerId }: Endpoint) {
  return [
    needsOneOf === true ? 'At least one of the attributes is required.' : '',
    alwaysSent === undefined ? '' : `Services may require ${alwaysSent.join(', ')}: send it always.`,
    otherMethod === undefined ? '' : `Some installations take ${otherMethod.method} instead.`,
    integerId === true ? 'Old descriptions of the API allow no path as `id`: an integer works everywhere.' : '',
  ]
    .filter((each) => each !== '')
    .join(' ')
}

function isRequired(schema: z.ZodType | undefined) {
  return schema?.safeParse(undefined).success === false
}

function parameters(endpoint: Endpoint, schemaOf: SchemaOf): Json[] {
  const inPath = Object.keys(endpoint.pathParams).map((name) => {
    return { name, in: 'path', required: true, schema: schemaOf(name) }
  })
  const inQuery = Object.entries(endpoint.query).map(([name, declared]) => {
    const schema = schemaOf(name)
    const common = { in: 'query', required: isRequired(declared), schema }
    if (schema.type === 'array') return { name: `${name}[]`, ...common, style: 'form', explode: true }
    if (schema.type === 'object') return { name, ...common, style: 'deepObject', explode: true }
    return { name, ...common }
  })
  return [...inPath, ...inQuery]
}

function requestBody(endpoint: Endpoint, schemaOf: SchemaOf): Json | undefined {
  const fields = Object.keys(endpoint.body)
  if (fields.length === 0) return undefined
  const isFile = (name: string) => JSON.stringify(schemaOf(name)).includes('contentMediaType')
  const plain = fields.filter((name) => !isFile(name))
  const isFlat = plain.every((name) => !hasObjects(schemaOf(name)))
  const hasFile = plain.length < fields.length
  const needsFile = fields.some((name) => isFile(name) && isRequired(endpoint.body[name]))
  const content = {
    ...(!needsFile && { 'application/json': { schema: objectOf(endpoint, plain, schemaOf) } }),
    ...(!needsFile &&
      isFlat && { 'application/x-www-form-urlencoded': { schema: objectOf(endpoint, plain, schemaOf, asFormField) } }),
    ...(hasFile && { 'multipart/form-data': { schema: objectOf(endpoint, fields, schemaOf, asFormField) } }),
  }
  const required = endpoint.needsOneOf === true || fields.some((name) => isRequired(endpoint.body[name]))
  return { required, content }
}

/** Forms carry only texts and lists of texts. */
function hasObjects({ type, items }: Json) {
  return type === 'object' || (typeof items === 'object' && items !== null && 'properties' in items)
}

function asFormField(name: string, { type }: Json) {
  return type === 'array' ? `${name}[]` : name
}

function objectOf(
  endpoint: Endpoint,
  fields: readonly string[],
  schemaOf: SchemaOf,
  nameOf: (name: string, schema: Json) => string = (name) => name,
): Json {
  const named = fields.map((name) => {
    const schema = schemaOf(name)
    return { as: nameOf(name, schema), schema, required: isRequired(endpoint.body[name]) }
  })
  const required = named.filter((each) => each.required).map(({ as }) => as)
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(({ as, schema }) => [as, schema])),
    ...(required.length > 0 && { required }),
    ...(endpoint.needsOneOf === true && { minProperties: 1 }),
  }
}

function responses(endpoint: Endpoint, schemaOf: SchemaOf): Json {
  return {
    ...mapValues(endpoint.responses, (schema, status) => success(endpoint, status, schema, schemaOf)),
    ...mapValues(endpoint.errors ?? {}, (meaning) => ({
      description: `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`,
      content: refusal,
    })),
    default: { $ref: '#/components/responses/Refused' },
  }
}

function success(endpoint: Endpoint, status: string, schema: z.ZodType, schemaOf: SchemaOf): Json {
  const { reduced, paged, format } = endpoint
  const description = meanings[Number(status)] ?? 'Done.'
  if (schema.safeParse(null).success) return { description }
  const full = schemaOf(`answer ${status}`)
  const body = reduced === undefined ? full : { anyOf: [full, schemaOf('reduced')] }
  return {
    description:
      reduced === undefined ? description : `${description} The shorter form where \`${reduced.by}\` asks for it.`,
    ...(paged === true && { headers: pageHeaders }),
    content: { [format === 'text' ? 'text/plain' : 'application/json']: { schema: body } },
  }
}

/** `mergeRequest` → `MergeRequest`, for each resource that the schema files export. */
function nameResources(): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>()
  const exported = { ...groups, ...issues, ...mergeRequests, ...projects, ...repository, ...users }
  for (const [name, schema] of Object.entries(exported)) {
    const isResource = schema instanceof z.ZodObject || schema instanceof z.ZodUnion
    if (isResource) registry.add(schema, { id: name.charAt(0).toUpperCase() + name.slice(1) })
  }
  return registry
}

/** The JSON Schemas of each endpoint by part, and the resources that they reference. */
function describeSchemas(endpoints: readonly Endpoint[]): {
  described: Record<string, { properties: Record<string, Json> }>
  components: Record<string, Json>
} {
  const all = z.object(Object.fromEntries(endpoints.map((endpoint) => [endpoint.name, partsOf(endpoint)])))
  const whole = z.toJSONSchema(all, {
    metadata: nameResources(),
    // As sent: a response may have more fields, a parameter with a default may be omitted.
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type !== 'file') return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, { type: 'string', contentMediaType: 'application/octet-stream' })
    },
  })
  const { properties, $defs } = JSON.parse(JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/'))
  return {
    described: properties,
    components: mapValues($defs as Record<string, Json>, ({ id, ...rest }) => rest),
  }
}

function mapValues<T, R>(object: Record<string, T>, change: (value: T, key: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
}
