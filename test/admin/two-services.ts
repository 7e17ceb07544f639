// The desk of a Bellhop that works for the services `one` and `two`, with one delivery of each.
import type { Desk } from '../../src/admin/desk.ts'
import { journalOf } from '../../src/journal/journal-of.ts'
import type { Journal } from '../../src/journal/types.ts'
import { type ServedDesk, serveDesk } from './serve-desk.ts'

/** The deliveries are `of-one` and `of-two`. */
export async function serveTwoServices(journal: Journal, desks: Record<'one' | 'two', Partial<Desk>>): Promise<ServedDesk> {
  for (const service of ['one', 'two'])
    await journal.saveDelivery({
      ...{ id: `of-${service}`, service, receivedAt: '2026-11-22T10:00:00.000Z', header: 'Push Hook', bytes: 2 },
      ...{ state: 'read', mergeRequests: [] },
    })
  const two = { ...desks.two, journal: journalOf(journal, 'two') }
  return serveDesk({ ...desks.one, service: 'one', journal: journalOf(journal, 'one') }, { others: { two } })
}
