// Notes, threads, award emoji and label events of merge requests and issues, in GitLab's shapes.
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
import { awardEmoji as awardSchema, discussion, labelEvent, note } from '../schemas/issue.ts'
import { id, longText, pageQuery, sort } from '../schemas/scalars.ts'
import type { NoteableBase } from './noteable.ts'

type Shape = Record<string, z.ZodType>

const order = { order_by: z.enum(['created_at', 'updated_at']).default('created_at'), sort: sort.default('desc') }
const body = longText.min(1)
/** Only some readers see an internal note. For merge requests since 16.9; `confidential` is the older name. */
const internal = { internal: z.boolean().optional(), confidential: z.boolean().optional() }

export function notesOn<P extends Shape>({ base, pathParams, called }: NoteableBase<P>) {
  const oneNote = { ...pathParams, note_id: id }
  return {
    list: endpoint('GET', `${base}/notes`, {
      doc: `Notes of ${called}, newest first.`,
      pathParams,
      query: { ...order, ...pageQuery },
      ...pageOf(note),
    }),
    get: endpoint('GET', `${base}/notes/:note_id`, {
      doc: `One note of ${called}.`,
      pathParams: oneNote,
      responses: { 200: note },
    }),
    create: endpoint('POST', `${base}/notes`, {
      doc: `Write a note on ${called}.`,
      pathParams,
      body: { body, ...internal },
      responses: { 201: note },
    }),
    update: endpoint('PUT', `${base}/notes/:note_id`, {
      doc: `Change the text of one’s own note on ${called}.`,
      pathParams: oneNote,
      body: { body },
      responses: { 200: note },
    }),
    delete: endpoint('DELETE', `${base}/notes/:note_id`, {
      doc: `Delete a note of ${called}.`,
      pathParams: oneNote,
      responses: { 204: z.null() },
    }),
  }
}

/** Not on the page. Threads of issues can be resolved since 16.7 (GitLab docs: api/discussions). */
export function discussionsOn<P extends Shape>({ base, pathParams, called }: NoteableBase<P>) {
  const oneDiscussion = { ...pathParams, discussion_id: z.string().min(1).max(64) }
  return {
    list: endpoint('GET', `${base}/discussions`, {
      doc: `Threads and single notes of ${called}, oldest first; not on the page.`,
      pathParams,
      query: pageQuery,
      ...pageOf(discussion),
    }),
    get: endpoint('GET', `${base}/discussions/:discussion_id`, {
      doc: `One thread of ${called}; not on the page.`,
      pathParams: oneDiscussion,
      responses: { 200: discussion },
    }),
    create: endpoint('POST', `${base}/discussions`, {
      doc: `Begin a thread on ${called}, which can be resolved; not on the page.`,
      pathParams,
      body: { body },
      responses: { 201: discussion },
    }),
    resolve: endpoint('PUT', `${base}/discussions/:discussion_id`, {
      doc: `Resolve a thread of ${called}, or reopen it; not on the page.`,
      pathParams: oneDiscussion,
      body: { resolved: z.boolean() },
      responses: { 200: discussion },
    }),
  }
}

export function labelEventsOn<P extends Shape>({ base, pathParams, called }: NoteableBase<P>) {
  return {
    list: endpoint('GET', `${base}/resource_label_events`, {
      doc: `Who added and removed labels of ${called}, oldest first.`,
      pathParams,
      query: pageQuery,
      ...pageOf(labelEvent),
    }),
  }
}

export function awardEmojiOn<P extends Shape>({ base, pathParams, called }: NoteableBase<P>) {
  return {
    list: endpoint('GET', `${base}/award_emoji`, {
      doc: `Reactions to ${called}.`,
      pathParams,
      query: pageQuery,
      ...pageOf(awardSchema),
    }),
    create: endpoint('POST', `${base}/award_emoji`, {
      doc: `React to ${called}; twice the same is 404.`,
      pathParams,
      body: { name: z.string().min(1).max(255) },
      responses: { 201: awardSchema },
      errors: { 404: 'already awarded by the caller' },
    }),
    delete: endpoint('DELETE', `${base}/award_emoji/:award_id`, {
      doc: `Take a reaction to ${called} back.`,
      pathParams: { ...pathParams, award_id: id },
      responses: { 204: z.null() },
    }),
  }
}
