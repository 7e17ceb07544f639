// The audit log: who wrote what, when and why.
import * as z from 'zod'
import { pagination } from '../inputs.ts'
import * as schemas from '../response-schemas.ts'
import { getRoute, ok } from '../route.ts'

export const auditRoutes = [
  getRoute('list_audit', '/audit', {
    doc: 'Lists all writes, newest first.',
    input: z.strictObject(pagination),
    responses: { 200: schemas.page(schemas.audit) },
    handle: async ({ input }, { journal }) => ok(await journal.audit.list(input)),
  }),
]
