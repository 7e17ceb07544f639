// Handler types: a missing handler or a wrong body does not compile.
import type { Body, CheckedParams, EndpointSpec, ReducedBody } from '../../api/endpoint.ts'
import type { Token, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export interface RecordPage<Items> {
  items: Items
  total: number
}

interface Call<E extends EndpointSpec> {
  params: CheckedParams<E>
  /** Null only if the endpoint allows anonymous calls. */
  caller: E extends { anonymous: true } ? User | null : User
  /** The caller's token; absent if the sandbox itself calls. */
  token?: Token
  world: World
}

/** A response with an explicit status, for endpoints that declare several. */
export class StatusResponse<B> {
  readonly status: number
  readonly body: B
  constructor(status: number, body: B) {
    this.status = status
    this.body = body
  }
}

/** Null if the endpoint declares an empty response (204, 304). */
type Result<E extends EndpointSpec> = E extends { paged: true }
  ? RecordPage<Body<E> | ReducedBody<E>>
  : E extends { format: 'text' }
    ? Body<E> | Buffer
    : Body<E> | StatusResponse<Body<E>>

type Handler<E extends EndpointSpec> = (call: Call<E>) => Result<E> | Promise<Result<E>>

export type Handlers<Tree> = { [K in keyof Tree]: Tree[K] extends EndpointSpec ? Handler<Tree[K]> : Handlers<Tree[K]> }

/** Handlers of two parts of the contract that differ in their paths alone. */
export type SharedHandlers<A, B> = {
  [K in keyof A & keyof B]: A[K] extends EndpointSpec
    ? B[K] extends EndpointSpec
      ? (call: Call<A[K]> | Call<B[K]>) => SharedResult<A[K], B[K]> | Promise<SharedResult<A[K], B[K]>>
      : never
    : never
}
type SharedResult<A extends EndpointSpec, B extends EndpointSpec> = Result<A> & Result<B>

/** What finding a record needs to know of a call. */
export interface Asked<P, C extends User | null = User> {
  params: P
  caller: C
  world: World
}

/** Handles calls on what `find` finds; it throws for what the caller may not see or do. */
export function on<C extends object, Found extends object, R>(
  find: (call: NoInfer<C>) => Found,
  handle: (call: C & Found) => R,
): (call: C) => R {
  return (call) => handle({ ...call, ...find(call) })
}

/** Shows one page of the records. */
export async function pageOf<T, U>(
  records: readonly T[],
  { page, per_page }: { page: number; per_page: number },
  show: (record: T) => U | Promise<U>,
): Promise<RecordPage<U[]>> {
  const cut = records.slice((page - 1) * per_page, page * per_page)
  return { items: await Promise.all(cut.map(show)), total: records.length }
}
