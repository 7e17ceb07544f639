// Namespaces: users and groups, where projects are; not on the page (GitLab docs: api/namespaces).
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { namespace } from '../schemas/project.ts'

export const namespaces = {
  list: endpoint('GET', '/namespaces', [namespace], {
    doc: 'List one’s own namespace and the groups that one is a member of; all for administrators.',
    query: { search: z.string().optional() },
  }),
  get: endpoint('GET', '/namespaces/:id', namespace, { doc: 'One namespace, by id or path.' }),
}
