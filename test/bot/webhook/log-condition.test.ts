// What the log says of the delivery queue.
import { pino } from 'pino'
import { logCondition } from '../../../src/bot/receiver.ts'

test.each([
  ['available', 30, 'capacity_available', 'deliveries are accepted'],
  ['low', 40, 'capacity_low', 'a limit is near; deliveries are still accepted'],
  ['full', 40, 'capacity_exhausted', 'a limit is reached; deliveries are refused'],
  ['unreachable', 40, 'queue_unreachable', 'the queue does not answer; deliveries are refused until it does'],
] as const)('a queue that is %s is logged at level %i as %s', (is, level, event, msg) => {
  const written: string[] = []
  logCondition(pino({ base: null, timestamp: false }, { write: (line) => written.push(line) }), { is, reason: 'why' })
  expect(written.map((line) => JSON.parse(line))).toEqual([{ level, event, is, reason: 'why', msg }])
})
