// The push rule of a project.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { pushRule as schema } from '../schemas/project.ts'
import { count, idOrPath } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath }
const path = '/projects/:id/push_rule'
const expression = z.string().max(511)
const body = {
  deny_delete_tag: z.boolean().optional(),
  member_check: z.boolean().optional(),
  prevent_secrets: z.boolean().optional(),
  /** All commit messages must match. */
  commit_message_regex: expression.optional(),
  /** All branch names must match. */
  branch_name_regex: expression.optional(),
  /** All author e-mails must match. */
  author_email_regex: expression.optional(),
  /** Committed file names must not match. */
  file_name_regex: expression.optional(),
  /** MB */
  max_file_size: count.optional(),
}

export const pushRule = {
  get: endpoint('GET', path, {
    doc: 'The push rule.',
    pathParams,
    responses: { 200: schema },
  }),
  create: endpoint('POST', path, {
    doc: 'Add a push rule.',
    pathParams,
    body,
    responses: { 201: schema },
    errors: { 422: 'the project has one' },
  }),
  update: endpoint('PUT', path, {
    doc: 'Edit the push rule.',
    pathParams,
    body,
    needsOneOf: true,
    responses: { 200: schema },
  }),
  delete: endpoint('DELETE', path, {
    doc: 'Remove the push rule; idempotent.',
    pathParams,
    responses: { 204: z.null() },
  }),
}
