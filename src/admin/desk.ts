// What the admin side is given to work with: the journal, and what only the bot can do.
import type { Journal, SweepRecord } from '../journal/types.ts'

export interface Desk {
  journal: Journal
  /** The service's name in refs. */
  service: string
  now: () => number
  /** Puts a delivery back in line. */
  replay: (deliveryId: string, by: string) => Promise<'replayed' | 'unknown' | 'forgotten'>
  /** Asks for a sweep of a project or group. */
  sweep: (of: string, dryRun: boolean) => Promise<SweepRecord>
}
