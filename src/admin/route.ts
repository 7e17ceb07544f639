// One route of the admin API as data: its shapes are checked before it is handled, and the OpenAPI document is printed from them.
import * as z from 'zod'
import type { Desk } from './desk.ts'
import type { Scope } from './tokens.ts'

export interface Reply {
  status: number
  body: unknown
}

export interface Given {
  params: unknown
  input: unknown
  /** The name of the token. */
  by: string
}

interface Declared {
  /** Names it in the audit log and in the OpenAPI document. */
  name: string
  method: 'get' | 'post'
  /** Below /admin/api, such as `/deliveries/{id}`. */
  path: string
  scope: Scope
  doc: string
  /** Bellhop has one for all services: none need be named. */
  ofAll?: true
  /** By status: what a good answer looks like. */
  answers: Record<number, z.ZodType>
  /** Beside 400, 401, 403 and 429: which other refusals there are, a sentence each. */
  refusals?: Record<number, string>
}

export interface AdminRoute extends Declared {
  params: z.ZodObject
  /** The query of a GET; the JSON body of a POST, whose query is taken as well. */
  input: z.ZodObject
  /** Handles a request; 400 where its parameters are not understood. */
  answer(given: Given, desk: Desk): Promise<Reply>
}

/** A route whose handler gets what its shapes say. */
export function route<P extends z.ZodObject, I extends z.ZodObject>(
  declared: Declared & {
    params: P
    input: I
    handle: (given: { params: z.output<P>; input: z.output<I>; by: string }, desk: Desk) => Promise<Reply>
  },
): AdminRoute {
  const { handle, ...rest } = declared
  return {
    ...rest,
    async answer({ params: given, input: sent, by }, desk) {
      const params = declared.params.safeParse(given)
      // An id that cannot be one names nothing; a number that is none is a mistake.
      if (!params.success) return refuse(400, z.prettifyError(params.error))
      const input = declared.input.safeParse(sent)
      if (!input.success) return refuse(400, z.prettifyError(input.error))
      return handle({ params: params.data, input: input.data, by }, desk)
    },
  }
}

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const accepted = (body: unknown): Reply => ({ status: 202, body })
export const refuse = (status: number, error: string): Reply => ({ status, body: { error } })
