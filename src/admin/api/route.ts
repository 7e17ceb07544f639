// One operation of the admin API as data: its schemas validate requests and make the OpenAPI document.
import * as z from 'zod'
import type { Scope } from '../access/authenticate.ts'
import type { AdminContext } from '../admin-context.ts'
import type { TextFile } from '../http.ts'

export interface Reply {
  status: number
  body: unknown
}

export interface RouteInput {
  params: unknown
  input: unknown
  /** The name of the token. */
  by: string
  /** The scopes of the token. */
  scopes: readonly Scope[]
}

interface RouteDeclaration {
  /** Its name in the audit log, and its operationId. */
  name: string
  /** Below /admin/api, such as `/deliveries/{id}`. */
  path: string
  doc: string
  /** Its path names an issue. */
  subject?: 'issue'
  /** Its response is for machines: no names are added. */
  withoutNames?: true
  /** Successful responses by status. */
  responses: Record<number, z.ZodType>
  /** Its successful response is a text, which browsers save. */
  file?: TextFile
  /** A POST that changes nothing: it is not in the audit log. */
  readOnly?: true
  /** Its body has the text of a rule file. */
  largeBody?: true
  /** Errors besides 400, 401, 403 and 429, by status. */
  errors?: Record<number, string>
}

export interface AdminRoute extends RouteDeclaration {
  method: 'get' | 'post'
  scope: Scope
  params: z.ZodObject
  /** The query of a GET; the JSON body of a POST, with its query. */
  input: z.ZodObject
  /** Handles a request; 400 for invalid parameters. */
  run(given: RouteInput, context: AdminContext): Promise<Reply>
}

const noInput = z.strictObject({})

/** Undefined: what it names is unknown, which is the declared 404. */
type Handler<P extends z.ZodObject, I extends z.ZodObject> = (
  given: Pick<RouteInput, 'by' | 'scopes'> & { params: z.output<P>; input: z.output<I> },
  context: AdminContext,
) => Promise<Reply | undefined>

type Declared<P, I> = Omit<RouteDeclaration, 'name' | 'path'> & { params?: P; input?: I }
type Handled<P extends z.ZodObject, I extends z.ZodObject> = Declared<P, I> & { handle: Handler<P, I> }

/** A GET without parameters unless declared, for tokens with the scope `read`. Its handler gets valid parameters. */
export const getRoute = <P extends z.ZodObject = typeof noInput, I extends z.ZodObject = typeof noInput>(
  name: string,
  path: string,
  declared: Handled<P, I>,
): AdminRoute => route({ name, path, method: 'get', scope: 'read' }, declared)

export const postRoute = <P extends z.ZodObject = typeof noInput, I extends z.ZodObject = typeof noInput>(
  name: string,
  path: string,
  scope: Scope,
  declared: Handled<P, I>,
): AdminRoute => route({ name, path, method: 'post', scope }, declared)

function route<P extends z.ZodObject, I extends z.ZodObject>(
  named: Pick<AdminRoute, 'name' | 'path' | 'method' | 'scope'>,
  { params = noInput as unknown as P, input = noInput as unknown as I, handle, ...declared }: Handled<P, I>,
): AdminRoute {
  return {
    ...named,
    ...declared,
    params,
    input,
    async run(given, context) {
      const readParams = params.safeParse(given.params, { reportInput: true })
      if (!readParams.success) return refuse(400, invalidParameters(readParams.error))
      const readInput = input.safeParse(given.input, { reportInput: true })
      if (!readInput.success) return refuse(400, invalidParameters(readInput.error))
      const reply = await handle({ ...given, params: readParams.data, input: readInput.data }, context)
      return reply ?? refuse(404, declared.errors?.[404] ?? 'It is unknown.')
    },
  }
}

/** Runs an operation by its name, with its parameters: those of the path and the others. */
export type RunOperation = <T>(operation: string, parameters?: object) => Promise<T>

/** The path of an operation, or of its page, for these parameters. */
export const pathOf = ({ path }: Pick<AdminRoute, 'path'>, params: Record<string, unknown>) =>
  path.replaceAll(/\{([a-z_]+)\}/g, (_, name) => encodeURIComponent(String(params[name] ?? '')))

/** `T` is what commands and pages get. */
export const ok = <T = unknown>(body: T): Reply => ({ status: 200, body })
export const accepted = <T = unknown>(body: T): Reply => ({ status: 202, body })
export const refuse = (status: number, error: string): Reply => ({ status, body: { error } })
export const missingScope = (name: string, scope: Scope) =>
  `The token "${name}" lacks the scope "${scope}", which this operation needs.`

/** A line for each problem: `iid: expected a whole number, found "x".` */
function invalidParameters(error: z.ZodError): string {
  return error.issues.map(lineOf).join('\n')
}

function lineOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `There is no parameter ${issue.keys.join(', ')}.`
  const name = issue.path.join('.')
  const found = issue.input === undefined ? '' : `, found ${shortened(issue.input)}`
  return `${name === '' ? '' : `${name}: `}${expected(issue)}${found}.`
}

function expected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'it is missing' : `expected ${types[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `expected ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `expected at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'too_small':
      return `expected at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'invalid_format':
      return issue.format === 'datetime' ? 'expected a time such as 2026-11-21T10:00:00Z' : 'expected another format'
    default:
      return issue.message.replace(/^Invalid input: /, '').replace(/^./, (first) => first.toLowerCase())
  }
}

const types: Readonly<Record<string, string>> = {
  number: 'a whole number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const unitOf = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '')

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
