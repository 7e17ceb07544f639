// estimate: set the time estimate where none is set (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { formatHours, parseDuration, positiveDurationSchema } from '../language/values/durations.ts'
import { bool, described, fields, isMap, type Shape, shape } from '../language/values/shapes.ts'
import { action, nothingToDo, oneCall } from './definition/action.ts'

/** The seconds of a duration in working time; undefined for none. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? parseDuration(value, 'working') : undefined
  return seconds === 0 ? undefined : seconds
}
export const duration = shape('a duration such as 15m or 3h30m', secondsOf, positiveDurationSchema)
const inFull = fields(
  { duration: described('The estimate.', duration), overwrite: described('Whether to replace one that is set.', bool) },
  ['duration'],
)

interface Estimate {
  [key: string]: number | boolean
  seconds: number
  overwrite: boolean
}

const args: Shape<Estimate> = {
  expected: `${duration.expected}, or a mapping with duration, overwrite`,
  schema: (context) => ({ anyOf: [duration.schema(context), inFull.schema(context)] }),
  read(value, path, issues) {
    if (isMap(value)) {
      const read = inFull.read(value, path, issues)
      return read?.duration === undefined ? undefined : { seconds: read.duration, overwrite: read.overwrite === true }
    }
    const seconds = duration.read(value, path, issues)
    return seconds === undefined ? undefined : { seconds, overwrite: false }
  },
}

export default action({
  name: 'estimate',
  doc: 'Set the time estimate. One that is set already stays, unless `overwrite: true`. A day has eight hours.',
  synonyms: ['time_estimate'],
  example: 'estimate: 15m',
  args,
  needs: ['time_estimate'],
  oneWay: true,
  effects: ({ seconds }) => [{ fact: 'time_estimate', value: seconds }],
  calls({ args: { seconds, overwrite }, facts, mr }) {
    const text = formatHours(seconds)
    const current = facts.time_estimate
    if (current === seconds) return nothingToDo(`the estimate is ${text} already`)
    if (current > 0 && !overwrite)
      return nothingToDo(`an estimate of ${formatHours(current)} is set; overwrite: true would change it`)
    return oneCall(`set the estimate to ${text}`, callData('mergeRequests.timeEstimate', { ...mr, duration: text }))
  },
})
