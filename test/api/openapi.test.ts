// The OpenAPI document: valid for another program, and complete.
import { Validator } from '@seriousme/openapi-schema-validator'
import { endpointsByName } from '../../src/api/index.ts'
import { openApiDocument } from '../../src/api/openapi.ts'

interface Operation {
  operationId: string
  description?: string
  security?: object[]
  parameters: {
    name: string
    in: string
    required: boolean
    style?: string
    schema: { type?: string; default?: unknown }
  }[]
  requestBody?: {
    required: boolean
    content: Record<string, { schema: { properties: object; required?: string[]; minProperties?: number } }>
  }
  responses: Record<string, { description: string; headers?: object; content?: Record<string, { schema: object }> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: Record<string, object>; additionalProperties?: boolean }> }
}

const document = openApiDocument() as unknown as Document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const operation = (name: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === name)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}
const parameter = (name: string, key: string) => operation(name).parameters.find((each) => each.name === key)

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
    const broken = { ...document, paths: { '/projects': { get: { responses: 'none' } } } }
    expect((await new Validator().validate(JSON.parse(JSON.stringify(broken)))).valid).toBe(false)
  })

  it('has every schema that it refers to', () => {
    for (const [, name] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      expect(Object.keys(document.components.schemas)).toContain(name)
    }
    expect(() => new Validator().resolveRefs({ specification: JSON.parse(JSON.stringify(document)) })).not.toThrow()
  })

  it('has every endpoint of the contract, by its name, and no other', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual([...endpointsByName.keys()].sort())
  })

  it('does not forbid fields that a service adds', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
  })
})

it('every endpoint has its path, method, parameters and responses', () => {
  for (const endpoint of endpointsByName.values()) {
    const { name, path, method } = endpoint
    const found = document.paths[path.replaceAll(/:([a-z_]+)/g, '{$1}')]?.[method.toLowerCase()]
    const fields = Object.values(found?.requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.keys(schema.properties),
    )
    const statuses = [...Object.keys(endpoint.responses), ...Object.keys(endpoint.errors ?? {}), 'default']
    expect(
      {
        name: found?.operationId,
        parameters: found?.parameters.map((each) => each.name.replace('[]', '')),
        fields: [...new Set(fields.map((field) => field.replace('[]', '')))].sort(),
        responses: Object.keys(found?.responses ?? {}).sort(),
      },
      name,
    ).toEqual({
      name,
      parameters: [...Object.keys(endpoint.pathParams), ...Object.keys(endpoint.query)],
      fields: Object.keys(endpoint.body).sort(),
      responses: statuses.sort(),
    })
  }
})

describe('more than the schemas', () => {
  it('304 has no content', () => {
    expect(operation('mergeRequests.subscribe').responses['304']?.content).toBeUndefined()
    expect(operation('mergeRequests.subscribe').responses['201']?.content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/MergeRequest' } },
    })
  })
  it('an upload is multipart only, an avatar multipart among others', () => {
    expect(Object.keys(operation('projects.upload').requestBody?.content ?? {})).toEqual(['multipart/form-data'])
    const content = operation('projects.create').requestBody?.content ?? {}
    expect(Object.keys(content)).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ])
    const has = (type: string, field: string) => field in (content[type]?.schema.properties ?? {})
    expect([has('application/json', 'avatar'), has('multipart/form-data', 'avatar')]).toEqual([false, true])
    expect([has('application/json', 'tag_list'), has('multipart/form-data', 'tag_list[]')]).toEqual([true, true])
  })
  it('a list of ids comes as name[], custom attributes as name[key]', () => {
    expect(parameter('groups.list', 'skip_groups[]')).toMatchObject({ style: 'form', schema: { type: 'array' } })
    expect(parameter('groups.list', 'custom_attributes')).toMatchObject({
      style: 'deepObject',
      schema: { type: 'object' },
    })
  })
  it('defaults are documented, and a parameter with one is not required', () => {
    expect(parameter('groups.list', 'order_by')).toMatchObject({ required: false, schema: { default: 'name' } })
    expect(parameter('projects.list', 'per_page')).toMatchObject({
      required: false,
      schema: { default: 20, maximum: 100 },
    })
  })
  it('approvals take a path as well, and say that an integer works everywhere', () => {
    expect(parameter('mergeRequests.approve', 'id')?.schema).toEqual(parameter('mergeRequests.get', 'id')?.schema)
    expect(operation('mergeRequests.approve').description).toContain('an integer works everywhere')
  })
  it('the token is optional exactly where the contract says so', () => {
    for (const { operationId, security } of operations) {
      const optional = endpointsByName.get(operationId)?.anonymous === true
      expect(security, operationId).toEqual(optional ? [{}, { privateToken: [] }] : undefined)
    }
  })
  it('one of several attributes is required where the contract says so', () => {
    const body = operation('mergeRequests.update').requestBody
    expect([body?.required, body?.content['application/json']?.schema.minProperties]).toEqual([true, 1])
  })
  it('the description has what no schema can say', () => {
    expect(operation('projects.update').description).toContain('name')
    expect(operation('mergeRequests.update').description).toContain('At least one')
    expect(operation('mergeRequests.cancelMergeWhenPipelineSucceeds').description).toContain('POST')
    expect(operation('mergeRequests.get').description).toBeUndefined()
  })
  it('a raw file is text, a list has the headers of its pages', () => {
    expect(Object.keys(operation('repository.files.raw').responses['200']?.content ?? {})).toEqual(['text/plain'])
    expect(Object.keys(operation('projects.list').responses['200']?.headers ?? {})).toContain('Link')
  })
})
