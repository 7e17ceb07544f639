// Notes, threads, award emoji and label events of merge requests and issues, in GitLab's shapes.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { awardEmoji as awardSchema, discussion, labelEvent, note, position } from '../schemas/issue.ts'
import { longText, sort } from '../schemas/scalars.ts'
import type { NoteableBase } from './noteable.ts'

const order = { order_by: z.enum(['created_at', 'updated_at']).default('created_at'), sort: sort.default('desc') }
const body = longText.min(1)
/** Only some readers see an internal note. For merge requests since 16.9; `confidential` is the older name. */
const internal = { internal: z.boolean().optional(), confidential: z.boolean().optional() }

export function notesOn<B extends string>({ place, called }: NoteableBase<B>) {
  return {
    list: endpoint('GET', `/projects/:id/${place}/notes`, [note], {
      doc: `Notes of ${called}, newest first.`,
      query: { ...order },
    }),
    get: endpoint('GET', `/projects/:id/${place}/notes/:note_id`, note, { doc: `One note of ${called}.` }),
    create: endpoint('POST', `/projects/:id/${place}/notes`, note, {
      doc: `Write a note on ${called}.`,
      body: { body, ...internal },
    }),
    update: endpoint('PUT', `/projects/:id/${place}/notes/:note_id`, note, {
      doc: `Change the text of one’s own note on ${called}.`,
      body: { body },
    }),
    delete: endpoint('DELETE', `/projects/:id/${place}/notes/:note_id`, z.null(), {
      doc: `Delete a note of ${called}.`,
    }),
  }
}

/** Not on the page. Threads of issues can be resolved since 16.7 (GitLab docs: api/discussions). */
export function discussionsOn<B extends string>({ place, called }: NoteableBase<B>) {
  const pathParams = { discussion_id: z.string().min(1).max(64) }
  return {
    list: endpoint('GET', `/projects/:id/${place}/discussions`, [discussion], {
      doc: `Threads and single notes of ${called}, oldest first; not on the page.`,
    }),
    get: endpoint('GET', `/projects/:id/${place}/discussions/:discussion_id`, discussion, {
      doc: `One thread of ${called}; not on the page.`,
      pathParams,
    }),
    create: endpoint('POST', `/projects/:id/${place}/discussions`, discussion, {
      doc: `Begin a thread on ${called}, which can be resolved; not on the page.`,
      body: { body, position: z.object(position).partial().optional() },
    }),
    addNote: endpoint('POST', `/projects/:id/${place}/discussions/:discussion_id/notes`, note, {
      doc: `Reply in a thread of ${called}; not on the page.`,
      pathParams,
      body: { body },
    }),
    getNote: endpoint('GET', `/projects/:id/${place}/discussions/:discussion_id/notes/:note_id`, note, {
      doc: `One note of a thread of ${called}; not on the page.`,
      pathParams,
    }),
    updateNote: endpoint('PUT', `/projects/:id/${place}/discussions/:discussion_id/notes/:note_id`, note, {
      doc: `Change one’s own note in a thread of ${called}, or resolve the thread; not on the page.`,
      pathParams,
      body: { body: body.optional(), resolved: z.boolean().optional() },
      needsOneOf: true,
    }),
    deleteNote: endpoint('DELETE', `/projects/:id/${place}/discussions/:discussion_id/notes/:note_id`, z.null(), {
      doc: `Delete a note in a thread of ${called}; not on the page.`,
      pathParams,
    }),
    resolve: endpoint('PUT', `/projects/:id/${place}/discussions/:discussion_id`, discussion, {
      doc: `Resolve a thread of ${called}, or reopen it; not on the page.`,
      pathParams,
      body: { resolved: z.boolean() },
    }),
  }
}

export function labelEventsOn<B extends string>({ place, called }: NoteableBase<B>) {
  return {
    list: endpoint('GET', `/projects/:id/${place}/resource_label_events`, [labelEvent], {
      doc: `Who added and removed labels of ${called}, oldest first.`,
    }),
  }
}

export function awardEmojiOn<B extends string>({ place, called }: NoteableBase<B>) {
  return {
    list: endpoint('GET', `/projects/:id/${place}/award_emoji`, [awardSchema], { doc: `Reactions to ${called}.` }),
    create: endpoint('POST', `/projects/:id/${place}/award_emoji`, awardSchema, {
      doc: `React to ${called}; twice the same is 404.`,
      body: { name: z.string().min(1).max(255) },
      errors: { 404: 'already awarded by the caller' },
    }),
    delete: endpoint('DELETE', `/projects/:id/${place}/award_emoji/:award_id`, z.null(), {
      doc: `Take a reaction to ${called} back.`,
    }),
  }
}
