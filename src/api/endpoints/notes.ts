// Notes, award emoji and label events of merge requests, notes of issues, in GitLab's shapes (hosting-service.md §3.3).
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { awardEmoji as awardSchema, discussion, labelEvent, note, quickActions } from '../schemas/issue.ts'
import { id, idOrPath, longText, pageQuery, sort } from '../schemas/scalars.ts'

const onMergeRequest = { id: idOrPath, merge_request_iid: id }
const base = '/projects/:id/merge_requests/:merge_request_iid'
const order = { order_by: z.enum(['created_at', 'updated_at']).default('created_at'), sort: sort.default('desc') }
const body = longText.min(1)
/** Only some readers see it: of issues since 15.3, of merge requests since 16.9; `confidential` is the older name. */
const internal = { internal: z.boolean().optional(), confidential: z.boolean().optional() }

export const notes = {
  list: endpoint({
    method: 'GET',
    path: `${base}/notes`,
    doc: 'Notes of a merge request, newest first.',
    pathParams: onMergeRequest,
    query: { ...order, ...pageQuery },
    responses: { 200: z.array(note) },
    paged: true,
  }),
  get: endpoint({
    method: 'GET',
    path: `${base}/notes/:note_id`,
    doc: 'One note.',
    pathParams: { ...onMergeRequest, note_id: id },
    responses: { 200: note },
  }),
  create: endpoint({
    method: 'POST',
    path: `${base}/notes`,
    doc: 'Write a note; one of quick actions alone leaves none (202).',
    pathParams: onMergeRequest,
    body: { body, ...internal },
    responses: { 201: note, 202: quickActions },
  }),
  update: endpoint({
    method: 'PUT',
    path: `${base}/notes/:note_id`,
    doc: 'Change the text of one’s own note.',
    pathParams: { ...onMergeRequest, note_id: id },
    body: { body },
    responses: { 200: note },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: `${base}/notes/:note_id`,
    doc: 'Delete a note.',
    pathParams: { ...onMergeRequest, note_id: id },
    responses: { 204: z.null() },
  }),
}

const oneDiscussion = { ...onMergeRequest, discussion_id: z.string().min(1).max(64) }

export const discussions = {
  list: endpoint({
    method: 'GET',
    path: `${base}/discussions`,
    doc: 'Threads and single notes of a merge request, oldest first; not on the page.',
    pathParams: onMergeRequest,
    query: pageQuery,
    responses: { 200: z.array(discussion) },
    paged: true,
  }),
  get: endpoint({
    method: 'GET',
    path: `${base}/discussions/:discussion_id`,
    doc: 'One thread; not on the page.',
    pathParams: oneDiscussion,
    responses: { 200: discussion },
  }),
  create: endpoint({
    method: 'POST',
    path: `${base}/discussions`,
    doc: 'Begin a thread, which can be resolved; quick actions alone begin none (202). Not on the page.',
    pathParams: onMergeRequest,
    body: { body },
    responses: { 201: discussion, 202: quickActions },
  }),
  resolve: endpoint({
    method: 'PUT',
    path: `${base}/discussions/:discussion_id`,
    doc: 'Resolve a thread, or reopen it; not on the page.',
    pathParams: oneDiscussion,
    body: { resolved: z.boolean() },
    responses: { 200: discussion },
  }),
}

export const labelEvents = {
  list: endpoint({
    method: 'GET',
    path: `${base}/resource_label_events`,
    doc: 'Who added and removed labels of a merge request, oldest first.',
    pathParams: onMergeRequest,
    query: pageQuery,
    responses: { 200: z.array(labelEvent) },
    paged: true,
  }),
}

export const awardEmoji = {
  list: endpoint({
    method: 'GET',
    path: `${base}/award_emoji`,
    doc: 'Reactions to a merge request.',
    pathParams: onMergeRequest,
    query: pageQuery,
    responses: { 200: z.array(awardSchema) },
    paged: true,
  }),
  create: endpoint({
    method: 'POST',
    path: `${base}/award_emoji`,
    doc: 'React; twice the same is 404 (hosting-service.md §3.3).',
    pathParams: onMergeRequest,
    body: { name: z.string().min(1).max(255) },
    responses: { 201: awardSchema },
    errors: { 404: 'already awarded by the caller' },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: `${base}/award_emoji/:award_id`,
    doc: 'Take a reaction back.',
    pathParams: { ...onMergeRequest, award_id: id },
    responses: { 204: z.null() },
  }),
}

const onIssue = { id: idOrPath, issue_iid: id }

export const issueNotes = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/issues/:issue_iid/notes',
    doc: 'Notes of an issue, newest first.',
    pathParams: onIssue,
    query: { ...order, ...pageQuery },
    responses: { 200: z.array(note) },
    paged: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/issues/:issue_iid/notes',
    doc: 'Write a note on an issue.',
    pathParams: onIssue,
    body: { body, ...internal },
    responses: { 201: note, 202: quickActions },
  }),
}
