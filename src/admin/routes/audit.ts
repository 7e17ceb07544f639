// The audit log: who wrote what, when and why.
import * as z from 'zod'
import { nothing, paged, withoutUndefined } from '../inputs.ts'
import { ok, route } from '../route.ts'
import * as shapes from '../shapes.ts'

export const auditRoutes = [
  route({
    name: 'list_audit',
    method: 'get',
    path: '/audit',
    scope: 'read',
    doc: 'Every request that may have written something, newest first.',
    ofAll: true,
    params: nothing,
    input: z.strictObject({
      service: z.string().max(200).optional().describe('Only what was asked of that hosting service, where Bellhop works for several.'),
      ...paged,
    }),
    answers: { 200: shapes.page(shapes.audit) },
    async handle({ input: { service, ...from } }, { journal }) {
      const { items, ...rest } = await journal.audits(withoutUndefined(from))
      return ok({ items: service === undefined ? items : items.filter(({ to }) => to.service === service), ...rest })
    },
  }),
]
