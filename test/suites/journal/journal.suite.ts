// What every journal promises, on each store: all parts of the suite.

import type { Journal } from '../../../src/journal/journal.ts'
import type { RetentionPolicy } from '../../../src/journal/retention.ts'
import { journalAuditAndSweepsSuite } from './audit-and-sweeps.suite.ts'
import { journalCountsSuite } from './counts.suite.ts'
import { journalDeliveriesSuite } from './deliveries.suite.ts'
import { journalMemorySuite } from './memory.suite.ts'
import { journalPendingEventsSuite } from './pending-events.suite.ts'
import { journalRetentionSuite } from './retention.suite.ts'
import { journalSearchSuite } from './search.suite.ts'
import { journalTimesSuite } from './times.suite.ts'

/**
 * `openAnother` opens a journal on the same store, as another process has it, with another retention. `byDays`: history
 * is deleted by whole days.
 */
export function journalSuite(
  open: () => Journal,
  openAnother: (retention?: Partial<RetentionPolicy>) => Promise<Journal>,
  { byDays = false } = {},
): void {
  journalDeliveriesSuite(open, openAnother)
  journalPendingEventsSuite(open)
  journalMemorySuite(open, openAnother)
  journalSearchSuite(open)
  journalAuditAndSweepsSuite(open)
  journalCountsSuite(open, openAnother)
  journalTimesSuite(open)
  journalRetentionSuite(open, openAnother, byDays)
}
