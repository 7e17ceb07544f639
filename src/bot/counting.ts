// What the flow tells of itself to whoever counts: each of these is told once, where it has just happened (DESIGN §2.6).
import type { DecisionRecord, DeliveryRecord, RuleFileRecord, SweptProject } from '../journal/types.ts'

export interface Counting {
  /** A web hook was answered, with this HTTP status. */
  answered(status: number): void
  /** Intake has read a delivery, to whatever end; one that a replay reads again is told again. */
  delivery(record: Pick<DeliveryRecord, 'state' | 'event'>): void
  /** A decision was made, its calls sent, and it is in the journal. */
  decision(record: DecisionRecord): void
  /** A sweep has ended; `left` projects wait for the next one. */
  sweep(sweep: { why: string; failed: boolean; projects: readonly SweptProject[]; left: number }): void
  /** A repository's rule file, or one that it includes, was read from the service. */
  ruleFile(record: Pick<RuleFileRecord, 'blob' | 'problems'>): void
  /** A version of a rule file that this process did not remember was read: its text, or what another process had read from it. */
  rulesRead(from: 'text' | 'form'): void
}
