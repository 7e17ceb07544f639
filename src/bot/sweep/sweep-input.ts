// The input of a sweep: its dependencies and its projects.
import type { Client } from '../../client/create-client.ts'
import type { Journal } from '../../journal/types.ts'
import type { CheckHook } from '../notifications/disabled-hooks.ts'
import type { EnqueueOpenOptions } from '../rule-changes/enqueue-open.ts'
import type { SweepMark } from './sweep-mark.ts'

export interface SweepOptions extends EnqueueOpenOptions {
  client: Client
  journal: Journal
  now: () => number
  /** Absent: disabled hooks are not reported. */
  checkHook?: CheckHook | undefined
}

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
