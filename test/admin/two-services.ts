// The admin of a Bellhop that works for the services `one` and `two`, with one delivery of each.
import type { AdminContext } from '../../src/admin/admin-context.ts'
import { serviceJournal } from '../../src/journal/service-journal.ts'
import type { Journal } from '../../src/journal/types.ts'
import { type ServedAdmin, serveAdmin } from './serve-admin.ts'

/** The deliveries are `of-one` and `of-two`. */
export async function serveTwoServices(
  journal: Journal,
  given: Record<'one' | 'two', Partial<AdminContext>>,
): Promise<ServedAdmin> {
  for (const service of ['one', 'two'])
    await journal.saveDelivery({
      ...{ id: `of-${service}`, service, receivedAt: '2026-11-22T10:00:00.000Z', header: 'Push Hook', bytes: 2 },
      ...{ state: 'read', mergeRequests: [] },
    })
  const two = { ...given.two, journal: serviceJournal(journal, 'two') }
  return serveAdmin({ ...given.one, service: 'one', journal: serviceJournal(journal, 'one') }, { others: { two } })
}
