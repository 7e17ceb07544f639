// Users and their tokens, in GitLab's shapes.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { name } from '../schemas/scalars.ts'
import { personalAccessToken, user, userStatus } from '../schemas/user.ts'

export const users = {
  current: endpoint('GET', '/user', user, { doc: 'Who the token belongs to.' }),
  list: endpoint('GET', '/users', [user], {
    doc: 'List users, or find one by user name.',
    query: { username: z.string().optional(), search: z.string().optional() },
  }),
  get: endpoint('GET', '/users/:user_id', user, { doc: 'One user.' }),
  status: endpoint('GET', '/users/:user_id/status', userStatus, {
    doc: 'What a user says of themselves: a message, and whether they are busy.',
  }),
  setStatus: endpoint('PUT', '/user/status', userStatus, {
    doc: 'Set one’s own status.',
    body: {
      emoji: z.string().optional(),
      message: z.string().max(100).optional(),
      availability: z.enum(['not_set', 'busy']).optional(),
    },
  }),
  create: endpoint('POST', '/users', user, {
    doc: 'Create a user (administrators only).',
    body: {
      username: name,
      name,
      email: z.string().min(3).max(255),
      bot: z.boolean().default(false),
      can_create_group: z.boolean().default(true),
    },
  }),
  createToken: endpoint('POST', '/users/:user_id/personal_access_tokens', personalAccessToken, {
    doc: 'Make a personal access token for a user (administrators only); with oauth a token of OAuth, in the sandbox alone.',
    body: {
      name,
      scopes: z.array(z.string()).min(1),
      expires_at: z.string().optional(),
      oauth: z.boolean().optional(),
    },
  }),
  currentToken: endpoint('GET', '/personal_access_tokens/self', personalAccessToken, {
    doc: 'The token of this call, without its text; 400 for a token of OAuth.',
  }),
  rotateCurrentToken: endpoint('POST', '/personal_access_tokens/self/rotate', personalAccessToken, {
    doc: 'Replace the token of this call (GitLab 16.10): it stops working, and the new one is shown once.',
    status: 200,
    body: { expires_at: z.string().optional() },
  }),
}

export const version = endpoint('GET', '/version', z.object({ version: z.string(), revision: z.string() }), {
  doc: 'Which version the service is.',
})
