// Compares a response of the sandbox with the contract.
import { expect } from 'vitest'
import { type Endpoint, listEndpoints } from '../../src/api/endpoint.ts'
import { api } from '../../src/api/index.ts'

function endpointOf(method: string, path: string): Endpoint | undefined {
  const plain = path.split('?')[0] ?? ''
  const matches = (endpoint: Endpoint): boolean =>
    new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`).test(plain) &&
    [endpoint.method, endpoint.otherMethod?.method].some((each) => each === method)
  return listEndpoints(api).find(matches)
}

/** Checks that status and body are as declared, without further fields. */
export function expectContract(method: string, path: string, answer: { status: number; body: unknown }): void {
  const endpoint = endpointOf(method, path)
  if (endpoint === undefined) throw new Error(`${method} ${path} is not in the contract`)
  const { reduced } = endpoint
  const asked = reduced && new URLSearchParams(path.split('?')[1]).get(reduced.by)
  const schema = reduced && asked && asked !== 'false' ? reduced.schema : endpoint.responses[answer.status]
  if (schema === undefined)
    throw new Error(`${endpoint.name} answered ${answer.status}, which the contract does not declare`)
  expect(schema.parse(answer.body), endpoint.name).toEqual(answer.body)
}
