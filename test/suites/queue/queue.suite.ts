// What every queue promises, on each backend: all parts of the suite.
import type { Queues } from '../../../src/queue/types.ts'
import { queueAddingSuite } from './adding.suite.ts'
import { queueBodiesSuite } from './bodies.suite.ts'
import { queueFirstRunSuite } from './first-run.suite.ts'
import { queueLookingSuite } from './inspecting.suite.ts'
import { queueOneAtATimeSuite } from './one-at-a-time.suite.ts'
import { queueOutcomesSuite } from './outcomes.suite.ts'
import { queueSchedulesSuite } from './schedules.suite.ts'
import { queueStalledSuite } from './stalled.suite.ts'

export function queueSuite(open: () => Queues): void {
  queueAddingSuite(open)
  queueOneAtATimeSuite(open)
  queueOutcomesSuite(open)
  queueFirstRunSuite(open)
  queueStalledSuite(open)
  queueSchedulesSuite(open)
  queueLookingSuite(open)
  queueBodiesSuite(open)
}
