// What a story of our client is: calls against the sandbox, with every answer held against the contract.
import { expect } from 'vitest'
import { endpointsByName } from '../../../src/api/index.ts'
import { type Client, createClient } from '../../../src/client/create-client.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import type { ApiResponse } from '../../../src/client/response.ts'
import { openWorld, type World } from '../../sandbox/sandbox-world.ts'

export interface StoryWorld {
  /** As root, the administrator. */
  client: Client
  /** As somebody else; nobody for the empty token. */
  as(token: string): Client
  world: World
  /** A new user with a token. */
  person(username: string): Promise<{ id: number; client: Client }>
}

export interface Story {
  name: string
  /** Endpoints that are called, by their names in the contract. */
  drives: readonly string[]
  tell(world: StoryWorld): Promise<void>
}

type AnyCall = (params: Record<string, unknown>) => Promise<ApiResponse<unknown>>

/** A sandbox of its own, and the endpoints that were called with success by now. */
export async function openStory(): Promise<StoryWorld & { driven: ReadonlySet<string> }> {
  const driven = new Set<string>()
  const world = await openWorld()
  const as = (token: string): Client => {
    const client = createClient({ baseUrl: world.sandbox.url, token, attempts: 1 })
    for (const name of endpointsByName.keys()) holdAgainstContract(client, name, driven)
    return client
  }
  const person = async (username: string) => {
    const { id, token } = await world.user(username)
    return { id, client: as(token) }
  }
  return { client: as('root-token'), as, world, person, driven }
}

/** Replaces the client's function of one endpoint by one that also checks its answers, which have no field too few or too many. */
function holdAgainstContract(client: object, name: string, driven: Set<string>): void {
  const steps = name.split('.')
  const own = steps.pop() ?? name
  const parent = steps.reduce<object>((level, key) => Reflect.get(level, key), client)
  const call: AnyCall = Reflect.get(parent, own)
  const checked: AnyCall = async (params) => {
    const answer = await call(params)
    const endpoint = endpointsByName.get(name)
    const full = endpoint?.responses[answer.status]
    const schema = full?.safeParse(answer.body).success === false ? (endpoint?.reduced?.schema ?? full) : full
    expect(schema, `${name} answered ${answer.status}`).toBeDefined()
    expect(schema?.parse(answer.body), name).toEqual(answer.body)
    driven.add(name)
    return answer
  }
  Reflect.set(parent, own, Object.assign(checked, { endpoint: name }))
}

/** A call's refusal: status and the service's words. */
export async function refused(call: Promise<unknown>): Promise<[number | undefined, string | undefined]> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ServiceError) return [error.status, error.serviceMessage]
  throw new Error('the call was not refused', { cause: error })
}

/** The id of what was just made. */
export async function idOf(call: Promise<ApiResponse<{ id?: number | undefined }>>): Promise<number> {
  const { id } = (await call).body
  if (id === undefined) throw new Error('the answer has no id')
  return id
}
