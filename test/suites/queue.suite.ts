// What every queue does, whatever store it is kept in: all parts of the suite.
import type { Queue } from '../../src/queue/types.ts'
import { queueAddingSuite } from './queue-adding.suite.ts'
import { queueBodiesSuite } from './queue-bodies.suite.ts'
import { queueFirstRunSuite } from './queue-first-run.suite.ts'
import { queueLookingSuite } from './queue-looking.suite.ts'
import { queueOneAtATimeSuite } from './queue-one-at-a-time.suite.ts'
import { queueOutcomesSuite } from './queue-outcomes.suite.ts'
import { queueSchedulesSuite } from './queue-schedules.suite.ts'
import { queueStalledSuite } from './queue-stalled.suite.ts'
import { queueVersionsSuite } from './queue-versions.suite.ts'

export function queueSuite(open: () => Queue): void {
  queueAddingSuite(open)
  queueOneAtATimeSuite(open)
  queueOutcomesSuite(open)
  queueFirstRunSuite(open)
  queueStalledSuite(open)
  queueSchedulesSuite(open)
  queueLookingSuite(open)
  queueVersionsSuite(open)
  queueBodiesSuite(open)
}
