// Holds a record against every promise.
import { callsWhileOff, wrongCalls } from './calls.ts'
import { doubled, miscounted } from './events.ts'
import { notAtFixpoint } from './expected.ts'
import { historiesOf } from './history.ts'
import { wrongMerges } from './merges.ts'
import { wrongOutput } from './output.ts'
import type { SoakRecord, Violation } from './record.ts'

/** What was broken; what comes right by itself once everything is at rest counts only at the end. */
export function check(record: SoakRecord): { atRest: Violation[]; atAnyTime: Violation[] } {
  const histories = historiesOf(record)
  const counted = miscounted(record, histories)
  const twice = counted.filter(({ promise }) => promise === doubled)
  return {
    atRest: [...notAtFixpoint(record, histories), ...counted.filter((each) => !twice.includes(each))],
    atAnyTime: [
      ...twice,
      ...wrongMerges(record, histories),
      ...wrongCalls(record, histories),
      ...callsWhileOff(histories),
      ...wrongOutput(record),
    ],
  }
}
