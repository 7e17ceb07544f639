// The admin API's OpenAPI document: valid, and as the routes really are.
import { Validator } from '@seriousme/openapi-schema-validator'
import { adminOpenApi } from '../../../src/admin/api/openapi.ts'
import { adminRoutes } from '../../../src/admin/api/routes/index.ts'

test('is valid OpenAPI', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(adminOpenApi(adminRoutes))))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
})

test('names each operation once, and each parameter of its path', () => {
  const names = adminRoutes.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { path, params } of adminRoutes)
    expect(Object.keys(params.shape).sort(), path).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
    )
})

test('what only reads needs the scope read, and nothing else is allowed by it', () => {
  // An explanation costs calls to the service.
  for (const { name, method, scope, readOnly } of adminRoutes)
    expect(scope === 'read' || name.startsWith('explain'), name).toBe(method === 'get' || readOnly === true)
})
