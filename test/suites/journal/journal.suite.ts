// What every journal remembers, whatever store it is kept in: all parts of the suite.
import type { RetentionPolicy } from '../../../src/journal/records/retention.ts'
import type { Journal } from '../../../src/journal/types.ts'
import { journalAuditAndSweepsSuite } from './audit-and-sweeps.suite.ts'
import { journalDeliveriesSuite } from './deliveries.suite.ts'
import { journalMemorySuite } from './memory.suite.ts'
import { journalMailboxSuite } from './pending-events.suite.ts'
import { journalForgettingSuite } from './retention.suite.ts'
import { journalSearchSuite } from './search.suite.ts'
import { journalServicesSuite } from './services.suite.ts'
import { journalTalliesSuite } from './tallies.suite.ts'

/** `openAnother` gives a journal over the same store, as another process has it, that keeps things for other times. */
export function journalSuite(
  open: () => Journal,
  openAnother: (keeping?: Partial<RetentionPolicy>) => Promise<Journal>,
): void {
  journalDeliveriesSuite(open, openAnother)
  journalMailboxSuite(open, openAnother)
  journalMemorySuite(open, openAnother)
  journalSearchSuite(open)
  journalAuditAndSweepsSuite(open, openAnother)
  journalServicesSuite(open)
  journalTalliesSuite(open, openAnother)
  journalForgettingSuite(open, openAnother)
}
