// How an endpoint is declared: method, path, parameters by place, responses by status.
import * as z from 'zod'
import { id, idOrPath, pageQuery, refName } from './schemas/scalars.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Shape = Record<string, z.ZodType>

/** A declaration. Schemas have plain JSON types: the sandbox parses query strings into them, the client sends them. */
export interface EndpointSpec {
  method: Method
  /** Relative to `{base_url}/api/v4`; each `:name` is a key of `pathParams`. */
  path: `/${string}`
  /** One sentence with its section. */
  doc: string
  pathParams: Shape
  query: Shape
  body: Shape
  /** At least one of the body's optional attributes is required. */
  needsOneOf?: boolean
  /** Bodies by success status; a null schema is an empty body (204, 304). */
  responses: Record<number, z.ZodType>
  /** The meaning of error statuses. */
  errors?: Record<number, string>
  /**
   * What a 4xx status means to a client: the state exists already, the evaluated state has changed, or retry later.
   * Others are final.
   */
  means?: Record<number, 'already' | 'moved' | 'not_now'>
  /** The kinds of events that a call of these parameters may raise. */
  raises?(params: Readonly<Record<string, unknown>>): readonly string[]
  paged?: boolean
  /** `text`: the body is the file itself. */
  format?: 'json' | 'text'
  /** May be called without a token if the resource is public. */
  anonymous?: boolean
  /** A shorter response (or entry of a list), selected by the query parameter `by`. */
  reduced?: { by: string; schema: z.ZodType }
  /** Documented as required but optional in practice: a client always sends them. */
  alwaysSent?: readonly string[]
  /** `:id` is an integer by the API page, and a path as well in GitLab; a client looks a path up first. */
  integerId?: boolean
  /**
   * GitLab's method, if it differs from the API page. A client tries it first, and the page's method after these
   * statuses.
   */
  otherMethod?: { method: Method; after: readonly number[] }
  /** A success may have the body `{ status: 'error', http_status, message }`: then nothing was done. */
  errorInBody?: true
}

type ParamsOf<S extends Shape> = z.ZodObject<S>

/** A declaration with its dotted name. */
export type Endpoint<S extends EndpointSpec = EndpointSpec> = S & { readonly name: string }

// Distributes over a union of endpoints: the parts of different endpoints do not mix.
type Flat<S extends EndpointSpec> = S extends EndpointSpec ? S['pathParams'] & S['query'] & S['body'] : never

type WithAlwaysSent<S extends EndpointSpec, P> = S extends { alwaysSent: readonly (infer K)[] }
  ? P & Required<Pick<P, K & keyof P>>
  : P

/** The parameters of path, query and body in one object. */
export type Params<S extends EndpointSpec> = WithAlwaysSent<S, z.input<ParamsOf<Flat<S>>>>
/** The checked parameters, with defaults. */
export type CheckedParams<S extends EndpointSpec> = z.output<ParamsOf<Flat<S>>>
/** The exact success bodies. */
export type Body<S extends EndpointSpec> = z.output<S['responses'][keyof S['responses']]>

export type ReducedBody<S extends EndpointSpec> = S extends { reduced: { schema: infer R extends z.ZodType } }
  ? z.output<R>
  : never

/** What a client can rely on: a service may omit or null any field, and add others. */
export type Tolerant<T> = T extends readonly (infer U)[]
  ? Tolerant<U>[]
  : T extends object
    ? { [K in keyof T]?: Tolerant<T[K]> }
    : T

/** Parameters of paths; every other one is an integer, unless the endpoint says otherwise. */
const usualParams = { id: idOrPath, branch: refName, sha: refName, tag_name: refName }

const usualStatus = { GET: 200, PUT: 200, POST: 201, DELETE: 204 } as const

/** The body of a success, `[entry]` for a list in pages, or the bodies by status. */
type Answer = z.ZodType | readonly [z.ZodType] | Record<number, z.ZodType>
interface Details
  extends Partial<Pick<EndpointSpec, 'pathParams' | 'query' | 'body'>>,
    Omit<EndpointSpec, 'method' | 'path' | 'pathParams' | 'query' | 'body' | 'responses' | 'paged'> {
  /** Of a single body; default: 200, 201 for POST and 204 for DELETE. */
  status?: number
}

/** Declares one endpoint; its place in the contract gives the name. */
export function endpoint<
  const M extends Method,
  const P extends EndpointSpec['path'],
  const A extends Answer,
  const S extends Details,
>(method: M, path: P, answer: A, spec: S): Declared<M, P, A, S> {
  const { query = {}, body = {}, status = usualStatus[method], ...rest } = spec
  const names = [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name)
  const known: Shape = { ...usualParams, ...spec.pathParams }
  const pathParams = Object.fromEntries(names.map((name) => [name, known[name] ?? id]))
  const common = { ...rest, method, path, pathParams, body }
  const declared = Array.isArray(answer)
    ? { ...common, query: { ...query, ...pageQuery }, responses: { 200: z.array(answer[0]) }, paged: true }
    : { ...common, query, responses: answer instanceof z.ZodType ? { [status]: answer } : answer }
  return declared as unknown as Declared<M, P, A, S>
}
type Declared<M extends Method, P, A, S> = S & {
  method: M
  path: P
  pathParams: PathParams<P, ShapeOf<S, 'pathParams'>>
  body: ShapeOf<S, 'body'>
} & (A extends readonly [infer E extends z.ZodType]
    ? { query: ShapeOf<S, 'query'> & typeof pageQuery; responses: { 200: z.ZodArray<E> }; paged: true }
    : {
        query: ShapeOf<S, 'query'>
        responses: A extends z.ZodType ? { [K in StatusOf<M, S>]: A } : A
      })
type StatusOf<M extends Method, S> = S extends { status: infer N extends number } ? N : (typeof usualStatus)[M]
type ShapeOf<S, K extends string> = S extends Record<K, infer P extends Shape> ? P : Record<never, never>

type Usual = typeof usualParams
type PathParams<P, Given> = {
  [N in NameIn<P>]: N extends keyof Given ? Given[N] : N extends keyof Usual ? Usual[N] : typeof id
}
type NameIn<P> = P extends `${string}:${infer N}/${infer Rest}`
  ? N | NameIn<Rest>
  : P extends `${string}:${infer N}`
    ? N
    : never

type EndpointTree<R> = { [K in keyof R]: R[K] extends EndpointSpec ? Endpoint<R[K]> : EndpointTree<R[K]> }
type Tree<T> = { [key: string]: T | Tree<T> }

function isEndpoint(value: object): value is EndpointSpec {
  return 'method' in value && 'responses' in value
}

/** The tree with something else in place of each endpoint, whose name is its place. */
export function mapEndpoints<T>(tree: object, change: (endpoint: Endpoint) => T, prefix = ''): Tree<T> {
  const entries = Object.entries(tree).map(([key, value]: [string, object]) => {
    const name = prefix + key
    return [key, isEndpoint(value) ? change({ ...value, name }) : mapEndpoints(value, change, `${name}.`)] as const
  })
  return Object.fromEntries(entries)
}

/** The tree with the name of its place in each endpoint. */
export const nameEndpoints = <const T extends object>(tree: T) =>
  mapEndpoints(tree, (endpoint) => endpoint) as EndpointTree<T>

/** All endpoints of a tree, in order of declaration. */
export function listEndpoints(tree: object): Endpoint[] {
  return Object.values(tree).flatMap((value: object) =>
    isEndpoint(value) ? [value as Endpoint] : listEndpoints(value),
  )
}
