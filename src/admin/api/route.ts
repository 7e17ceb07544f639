// One operation of the admin API as data: its schemas validate requests and make the OpenAPI document.
import * as z from 'zod'
import type { Scope } from '../access/tokens.ts'
import type { AdminContext } from '../admin-context.ts'

export interface Reply {
  status: number
  body: unknown
}

export interface RouteInput {
  params: unknown
  input: unknown
  /** The name of the token. */
  by: string
}

interface RouteDeclaration {
  /** Its name in the audit log, and its operationId. */
  name: string
  method: 'get' | 'post'
  /** Below /admin/api, such as `/deliveries/{id}`. */
  path: string
  scope: Scope
  doc: string
  /** It is about all services together. */
  anyService?: true
  /** Successful responses by status. */
  responses: Record<number, z.ZodType>
  /** Errors besides 400, 401, 403 and 429, by status. */
  errors?: Record<number, string>
}

export interface AdminRoute extends RouteDeclaration {
  params: z.ZodObject
  /** The query of a GET; the JSON body of a POST, with its query. */
  input: z.ZodObject
  /** Handles a request; 400 for invalid parameters. */
  run(given: RouteInput, context: AdminContext): Promise<Reply>
}

/** A route whose handler gets validated parameters. */
export function route<P extends z.ZodObject, I extends z.ZodObject>(
  declared: RouteDeclaration & {
    params: P
    input: I
    handle: (given: { params: z.output<P>; input: z.output<I>; by: string }, context: AdminContext) => Promise<Reply>
  },
): AdminRoute {
  const { handle, ...rest } = declared
  return {
    ...rest,
    async run(given, context) {
      const params = declared.params.safeParse(given.params)
      if (!params.success) return refuse(400, z.prettifyError(params.error))
      const input = declared.input.safeParse(given.input)
      if (!input.success) return refuse(400, z.prettifyError(input.error))
      return handle({ params: params.data, input: input.data, by: given.by }, context)
    },
  }
}

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const accepted = (body: unknown): Reply => ({ status: 202, body })
export const refuse = (status: number, error: string): Reply => ({ status, body: { error } })
