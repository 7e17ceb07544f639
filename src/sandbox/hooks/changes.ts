// The `changes` of a payload (hosting-service.md §2.1, §2.2).
import { isDeepStrictEqual } from 'node:util'

export type Changes = Record<string, { previous: unknown; current: unknown }>
type Fields = Record<string, unknown>

export function changesBetween(previous: Fields, current: Fields): Changes {
  const fields = Object.keys(current).filter((field) => !isDeepStrictEqual(previous[field], current[field]))
  return Object.fromEntries(fields.map((field) => [field, { previous: previous[field], current: current[field] }]))
}
