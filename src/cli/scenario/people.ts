// The people of a scenario: each acts with a token of their own.
import type { Client } from '../../client/create-client.ts'

export interface Person {
  id: number
  username: string
  token: string
  client: Client
}

/** Names were checked when the scenario was read. */
export function personNamed(people: ReadonlyMap<string, Person>, username: string): Person {
  return known(people.get(username))
}

/** The sandbox answers in full; what is missing is a defect of it. */
export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the sandbox left a field out of its answer')
  return value
}
