// A project as a sweep sees it.
import type { SweepMark } from './sweep-mark.ts'

export interface ProjectToSweep {
  project: number
  path?: string | undefined
  /** The bot user is a member, but the project sent no delivery. */
  memberOnly?: true
  /** The operator's rules or policy name it. */
  named?: boolean
  /** Iids of refs (below 0: issues) that this sweep has queued. */
  enqueued: Set<number>
  /** Iids that this sweep has looked at. */
  looked: Set<number>
  /** The progress of a dry run, which stores no mark. */
  mark?: SweepMark
}
