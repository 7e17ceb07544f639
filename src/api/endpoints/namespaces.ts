// Namespaces: users and groups, where projects are; not on the page (GitLab docs: api/namespaces).
import { endpoint } from '../endpoint.ts'
import { namespace } from '../schemas/project.ts'

export const namespaces = {
  get: endpoint('GET', '/namespaces/:id', namespace, { doc: 'One namespace, by id or path.' }),
}
