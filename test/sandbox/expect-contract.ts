// Compares a response of the sandbox with the contract.
import { type Endpoint, listEndpoints } from '../../src/api/endpoint.ts'
import { api } from '../../src/api/index.ts'

const endpoints = listEndpoints(api).map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`),
  methods: [endpoint.method, endpoint.otherMethod?.method],
}))

function endpointOf(method: string, given: string): Endpoint | undefined {
  const [plain = ''] = given.split('?')
  return endpoints.find(({ path, methods }) => methods.some((each) => each === method) && path.test(plain))?.endpoint
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
