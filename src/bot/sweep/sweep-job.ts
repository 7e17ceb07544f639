// The jobs of the queue of sweeps.

export type SweepReason = 'start' | 'schedule' | 'deliveries_refused'

/**
 * A tick of the schedule, or the end of refusals at a time, which only request a sweep; a sweep of everything; a sweep
 * that a person asked for, stored in the journal.
 */
export type SweepJob =
  | { is: 'tick' }
  | { is: 'refused'; until: number }
  | { is: 'sweep'; why: SweepReason }
  | { is: 'asked'; id: string }
