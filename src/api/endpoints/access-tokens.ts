// Access tokens of a project, in GitLab's shapes.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { accessLevel, idOrPath, name } from '../schemas/scalars.ts'
import { resourceAccessToken } from '../schemas/user.ts'

export const projectAccessTokens = {
  create: endpoint('POST', '/projects/:id/access_tokens', {
    doc: 'Make an access token of a project, with a bot user who is its member.',
    pathParams: { id: idOrPath },
    body: {
      name,
      scopes: z.array(z.string()).min(1),
      expires_at: z.string().optional(),
      access_level: accessLevel.default(40),
    },
    responses: { 201: resourceAccessToken },
  }),
}
