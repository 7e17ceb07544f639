// What a handler is: typed by its endpoint's declaration, so that a missing handler or a wrong body does not compile (DESIGN §3).
import type { Body, CheckedParams, EndpointSpec, ReducedBody } from '../api/endpoint.ts'
import type { User } from './records.ts'
import type { World } from './world.ts'

/** One page's share of a list, and how long the whole is. */
export interface Page<Items> {
  items: Items
  total: number
}

interface Call<E extends EndpointSpec> {
  params: CheckedParams<E>
  /** Nobody, only where the endpoint may be called without a token. */
  caller: E extends { anonymous: true } ? User | null : User
  world: World
}

/** An answer with a status of its own, where the endpoint declares several of a kind. */
export class Answered<B> {
  readonly status: number
  readonly body: B
  constructor(status: number, body: B) {
    this.status = status
    this.body = body
  }
}

/** A body; null where the endpoint declares an empty answer (204, 304). */
type Result<E extends EndpointSpec> = E extends { paged: true }
  ? Page<Body<E> | ReducedBody<E>>
  : E extends { format: 'text' }
    ? Body<E> | Buffer
    : Body<E> | Answered<Body<E>>

type Handler<E extends EndpointSpec> = (call: Call<E>) => Result<E> | Promise<Result<E>>

/** A handler for each endpoint of a part of the contract. */
export type Handlers<Part> = { [K in keyof Part]: Part[K] extends EndpointSpec ? Handler<Part[K]> : Handlers<Part[K]> }

/** Cuts a page out of all records and shows only those. */
export async function pageOf<T, U>(
  records: readonly T[],
  { page, per_page }: { page: number; per_page: number },
  show: (record: T) => U | Promise<U>,
): Promise<Page<U[]>> {
  const cut = records.slice((page - 1) * per_page, page * per_page)
  return { items: await Promise.all(cut.map(show)), total: records.length }
}
