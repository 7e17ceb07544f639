// Wiki pages of a project, in GitLab's shapes.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { wikiPage } from '../schemas/issue.ts'
import { longText, name } from '../schemas/scalars.ts'

const pathParams = { slug: name }
const format = z.enum(['markdown', 'rdoc', 'asciidoc', 'org'])

export const wikis = {
  create: endpoint('POST', '/projects/:id/wikis', wikiPage, {
    doc: 'Create a wiki page.',
    body: { title: name, content: longText.min(1), format: format.default('markdown') },
  }),
  update: endpoint('PUT', '/projects/:id/wikis/:slug', wikiPage, {
    doc: 'Change a wiki page.',
    pathParams,
    body: { title: name.optional(), content: longText.min(1).optional(), format: format.optional() },
    needsOneOf: true,
  }),
  delete: endpoint('DELETE', '/projects/:id/wikis/:slug', z.null(), {
    doc: 'Delete a wiki page.',
    pathParams,
  }),
}
