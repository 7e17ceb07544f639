// The contract's zod schemas as JSON Schema for OpenAPI 3.1: resources by name, everything else inline.
import * as z from 'zod'
import * as groups from './schemas/group.ts'
import * as issues from './schemas/issue.ts'
import * as mergeRequests from './schemas/merge-request.ts'
import * as projects from './schemas/project.ts'
import * as repository from './schemas/repository.ts'
import * as users from './schemas/user.ts'

export type JsonSchema = Record<string, unknown>

/** `mergeRequest` → `MergeRequest`, for each resource that the schema files export. */
function nameResources(): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>()
  for (const [name, schema] of Object.entries({
    ...groups,
    ...issues,
    ...mergeRequests,
    ...projects,
    ...repository,
    ...users,
  })) {
    const isResource = schema instanceof z.ZodObject || schema instanceof z.ZodUnion
    if (isResource) registry.add(schema, { id: name.charAt(0).toUpperCase() + name.slice(1) })
  }
  return registry
}

/** JSON Schemas under the keys of `schemas`, and the resources that they reference. */
export function describeSchemas(schemas: Record<string, z.ZodType>): {
  described: Record<string, JsonSchema>
  components: Record<string, JsonSchema>
} {
  const whole = z.toJSONSchema(z.object(schemas), {
    metadata: nameResources(),
    // As sent: a response may have more fields, a parameter with a default may be omitted.
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type !== 'file') return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, { type: 'string', contentMediaType: 'application/octet-stream' })
    },
  })
  const { properties = {}, $defs = {} } = JSON.parse(
    JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/'),
  )
  return { described: properties, components: withoutIds($defs) }
}

function withoutIds(definitions: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(definitions).map(([name, { id: _, ...rest }]) => [name, rest]))
}
