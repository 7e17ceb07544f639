// The people of a scenario.
import type { Client } from '../../client/create-client.ts'

export interface ScenarioPerson {
  id: number
  username: string
  token: string
  client: Client
}

export function personNamed(people: ReadonlyMap<string, ScenarioPerson>, username: string): ScenarioPerson {
  return known(people.get(username))
}

export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the sandbox omitted a field')
  return value
}
