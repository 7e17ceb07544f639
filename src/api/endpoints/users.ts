// Users and their tokens, in GitLab's shapes.
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
import { name, pageQuery } from '../schemas/scalars.ts'
import { personalAccessToken, user, userStatus } from '../schemas/user.ts'

export const users = {
  current: endpoint('GET', '/user', { doc: 'Who the token belongs to.', responses: { 200: user } }),
  list: endpoint('GET', '/users', {
    doc: 'List users, or find one by user name.',
    query: { username: z.string().optional(), search: z.string().optional(), ...pageQuery },
    ...pageOf(user),
  }),
  get: endpoint('GET', '/users/:user_id', {
    doc: 'One user.',
    responses: { 200: user },
  }),
  status: endpoint('GET', '/users/:user_id/status', {
    doc: 'What a user says of themselves: a message, and whether they are busy.',
    responses: { 200: userStatus },
  }),
  setStatus: endpoint('PUT', '/user/status', {
    doc: 'Set one’s own status.',
    body: {
      emoji: z.string().optional(),
      message: z.string().max(100).optional(),
      availability: z.enum(['not_set', 'busy']).optional(),
    },
    responses: { 200: userStatus },
  }),
  create: endpoint('POST', '/users', {
    doc: 'Create a user (administrators only).',
    body: {
      username: name,
      name,
      email: z.string().min(3).max(255),
      bot: z.boolean().default(false),
      can_create_group: z.boolean().default(true),
    },
    responses: { 201: user },
  }),
  createToken: endpoint('POST', '/users/:user_id/personal_access_tokens', {
    doc: 'Make a personal access token for a user (administrators only); with oauth a token of OAuth, in the sandbox alone.',
    body: {
      name,
      scopes: z.array(z.string()).min(1),
      expires_at: z.string().optional(),
      oauth: z.boolean().optional(),
    },
    responses: { 201: personalAccessToken },
  }),
  currentToken: endpoint('GET', '/personal_access_tokens/self', {
    doc: 'The token of this call, without its text; 400 for a token of OAuth.',
    responses: { 200: personalAccessToken },
  }),
  rotateCurrentToken: endpoint('POST', '/personal_access_tokens/self/rotate', {
    doc: 'Replace the token of this call (GitLab 16.10): it stops working, and the new one is shown once.',
    body: { expires_at: z.string().optional() },
    responses: { 200: personalAccessToken },
  }),
}

export const version = endpoint('GET', '/version', {
  doc: 'Which version the service is.',
  responses: { 200: z.object({ version: z.string(), revision: z.string() }) },
})
