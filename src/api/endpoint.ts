// How an endpoint is declared: method, path, parameters by place, answers by status. Client, sandbox, rules and OpenAPI read this.
import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Shape = Record<string, z.ZodType>

/** What an endpoint's declaration says. Schemas are of plain JSON types: the sandbox turns query strings into them, the client sends them. */
export interface EndpointSpec {
  method: Method
  /** Relative to `{base_url}/api/v4`; each `:name` is a key of `path parameters`. */
  path: `/${string}`
  /** One sentence, with its place in the page. */
  doc: string
  pathParams: Shape
  query: Shape
  body: Shape
  /** At least one of the body's optional attributes is required (api-v4.md §4.2 update). */
  needsOneOf?: boolean
  /** Bodies by success status; a null schema is an empty body (204, 304). */
  answers: Record<number, z.ZodType>
  /** What a status means, where the page says it (api-v4.md §7). */
  errors?: Record<number, string>
  /** What a client makes of a refusal: the state was already so, the judged state is gone, or it may work later. Any other 4xx is a plain refusal. */
  means?: Record<number, 'already' | 'moved' | 'not now'>
  /** The answer is a list in pages (api-v4.md §8). */
  paged?: boolean
  /** `text`: the body is the file itself. */
  format?: 'json' | 'text'
  /** May be called without a token where the resource is public (api-v4.md §5). */
  anonymous?: boolean
  /** A shorter answer (of each entry, in a list), given when the query parameter `by` asks for it. */
  reduced?: { by: string; schema: z.ZodType }
  /** Optional parameters that the page lists as required: a client always sends them, a service may do without. */
  alwaysSent?: readonly string[]
  /** `:id` is the integer alone, no path (api-v4.md §4.2); a client looks a path up first. */
  integerId?: boolean
  /** The method of real installations where it differs from the page's, and the statuses after which it is worth trying (hosting-service.md §3.1). */
  otherMethod?: { method: Method; after: readonly number[] }
}

type ParamsOf<S extends Shape> = z.ZodObject<S>

/** An endpoint with its name in the contract (`mergeRequests.accept`) and all parameters flattened into one object. */
export type Endpoint<S extends EndpointSpec = EndpointSpec> = S & { readonly name: string }

type Flat<S extends EndpointSpec> = S['pathParams'] & S['query'] & S['body']

type Needed<S extends EndpointSpec, P> = S extends { alwaysSent: readonly (infer K)[] } ? P & Required<Pick<P, K & keyof P>> : P

/** The parameters of a call, flat: path, query and body together, as a person would pass them. */
export type Params<S extends EndpointSpec> = Needed<S, z.input<ParamsOf<Flat<S>>>>
/** The parameters as the sandbox's handler gets them: checked, defaults filled in. */
export type CheckedParams<S extends EndpointSpec> = z.output<ParamsOf<Flat<S>>>
/** The exact bodies of the success answers. */
export type Body<S extends EndpointSpec> = z.output<S['answers'][keyof S['answers']]>

/** The body of the shorter answer, where there is one. */
export type ReducedBody<S extends EndpointSpec> = S extends { reduced: { schema: infer R extends z.ZodType } } ? z.output<R> : never

/** What a client may count on: a real installation may leave out or null any field, and add others. */
export type Tolerant<T> = T extends readonly (infer U)[]
  ? Tolerant<U>[]
  : T extends object
    ? { [K in keyof T]?: Tolerant<T[K]> | undefined }
    : T

/** Declares one endpoint; the name comes from its place in the contract. */
export function endpoint<
  const S extends Partial<Pick<EndpointSpec, 'pathParams' | 'query' | 'body'>> & Omit<EndpointSpec, 'pathParams' | 'query' | 'body'>,
>(spec: S): S & { pathParams: Given<S, 'pathParams'>; query: Given<S, 'query'>; body: Given<S, 'body'> } {
  const filled = { ...spec, pathParams: spec.pathParams ?? {}, query: spec.query ?? {}, body: spec.body ?? {} }
  return filled as S & { pathParams: Given<S, 'pathParams'>; query: Given<S, 'query'>; body: Given<S, 'body'> }
}
type Given<S, K extends string> = S extends Record<K, infer P extends Shape> ? P : Record<never, never>

type Named<R> = { [K in keyof R]: R[K] extends EndpointSpec ? Endpoint<R[K]> : Named<R[K]> }

function isEndpoint(value: object): value is EndpointSpec {
  return 'method' in value && 'answers' in value
}

/** Gives every endpoint of a tree its dotted name. */
export function nameEndpoints<const T extends object>(tree: T, prefix = ''): Named<T> {
  const entries = Object.entries(tree).map(([key, value]: [string, object]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    return [key, isEndpoint(value) ? { ...value, name } : nameEndpoints(value, name)] as const
  })
  return Object.fromEntries(entries) as Named<T>
}

/** All endpoints of a tree, in order of declaration. */
export function listEndpoints(tree: object): Endpoint[] {
  return Object.values(tree).flatMap((value: object) => (isEndpoint(value) ? [value as Endpoint] : listEndpoints(value)))
}
