// The audit log: who wrote what, when and why.
import * as z from 'zod'
import { pagination, withoutUndefined } from '../inputs.ts'
import * as schemas from '../response-schemas.ts'
import { ok, route } from '../route.ts'

export const auditRoutes = [
  route({
    name: 'list_audit',
    path: '/audit',
    doc: 'Lists all writes, newest first.',
    anyService: true,
    input: z.strictObject({
      service: z.string().max(200).optional().describe('Only writes about that hosting service.'),
      ...pagination,
    }),
    responses: { 200: schemas.page(schemas.audit) },
    async handle({ input: { service, ...from } }, { journal }) {
      const { items, ...rest } = await journal.audits(withoutUndefined(from))
      return ok({ items: service === undefined ? items : items.filter(({ to }) => to.service === service), ...rest })
    },
  }),
]
