// Participants, subscription and to-dos of merge requests and issues.
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
import { pageQuery } from '../schemas/scalars.ts'
import { userSummary } from '../schemas/user.ts'
import type { NoteableBase } from './noteable.ts'

/** `shown` is the body of a subscription's response, `todo` that of a to-do. */
export function attentionOn<P extends Record<string, z.ZodType>, S extends z.ZodType, T extends z.ZodType>(
  { base, pathParams, called }: NoteableBase<P>,
  { shown, todo }: { shown: S; todo: T },
) {
  return {
    participants: endpoint('GET', `${base}/participants`, {
      doc: `Who takes part in ${called}.`,
      pathParams,
      query: pageQuery,
      ...pageOf(userSummary),
    }),
    subscribe: endpoint('POST', `${base}/subscribe`, {
      doc: `Subscribe to ${called}; 304 when subscribed.`,
      pathParams,
      responses: { 201: shown, 304: z.null() },
    }),
    unsubscribe: endpoint('POST', `${base}/unsubscribe`, {
      doc: `Unsubscribe from ${called}; 304 when not subscribed.`,
      pathParams,
      responses: { 201: shown, 304: z.null() },
    }),
    todo: endpoint('POST', `${base}/todo`, {
      doc: `Create a to-do for ${called}; 304 when there is one.`,
      pathParams,
      responses: { 201: todo, 304: z.null() },
    }),
  }
}
