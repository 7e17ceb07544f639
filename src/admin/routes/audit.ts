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
    params: nothing,
    input: z.strictObject(paged),
    answers: { 200: shapes.page(shapes.audit) },
    handle: async ({ input }, { journal }) => ok(await journal.audits(withoutUndefined(input))),
  }),
]
