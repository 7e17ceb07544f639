// What every journal remembers, whatever store it is kept in: all parts of the suite.
import type { Keeping } from '../../src/journal/keeping.ts'
import type { Journal } from '../../src/journal/types.ts'
import { journalAuditAndSweepsSuite } from './journal-audit-and-sweeps.suite.ts'
import { journalDeliveriesSuite } from './journal-deliveries.suite.ts'
import { journalForgettingSuite } from './journal-forgetting.suite.ts'
import { journalMailboxSuite } from './journal-mailbox.suite.ts'
import { journalMemorySuite } from './journal-memory.suite.ts'
import { journalSearchSuite } from './journal-search.suite.ts'
import { journalServicesSuite } from './journal-services.suite.ts'
import { journalTalliesSuite } from './journal-tallies.suite.ts'

/** `openAnother` gives a journal over the same store, as another process has it, that keeps things for other times. */
export function journalSuite(open: () => Journal, openAnother: (keeping?: Partial<Keeping>) => Promise<Journal>): void {
  journalDeliveriesSuite(open, openAnother)
  journalMailboxSuite(open, openAnother)
  journalMemorySuite(open, openAnother)
  journalSearchSuite(open)
  journalAuditAndSweepsSuite(open, openAnother)
  journalServicesSuite(open)
  journalTalliesSuite(open, openAnother)
  journalForgettingSuite(open, openAnother)
}
