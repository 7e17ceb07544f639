// estimate: set the time estimate if none is set.
import type { FillValue } from '../language/groups.ts'
import { readPlaces } from '../language/templates.ts'
import { formatHours, parseDuration, positiveDurationSchema } from '../language/values/durations.ts'
import { bool, described, fields, isMap, type Shape, shape } from '../language/values/shapes.ts'
import { action, nothingToDo, oneCall } from './definition/action.ts'
import { callOn } from './definition/action-calls.ts'

/** The seconds of a duration in working time; undefined for none. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? parseDuration(value, 'working') : undefined
  return seconds === 0 ? undefined : seconds
}
const plainDuration = shape('a duration such as 15m or 3h30m', secondsOf, positiveDurationSchema)
const templateSchema = { type: 'string', maxLength: 100, pattern: '\\{\\{' }

/** A duration in seconds, or a text with named groups to fill in. */
export const duration: Shape<number | string> = {
  expected: plainDuration.expected,
  schema: (context) => ({ anyOf: [plainDuration.schema(context), templateSchema] }),
  read(value, path, issues, context) {
    if (typeof value !== 'string' || !value.includes('{{') || value.length > templateSchema.maxLength)
      return plainDuration.read(value, path, issues, context)
    return readPlaces(value, path, issues, context, 'groups') ? value : undefined
  },
}

const PART_OF_DURATION = /^[\d wdhm]{1,50}$/

/** The seconds of a duration with its groups filled in. */
export const fillDuration = (seconds: number | string, fill: FillValue): number =>
  typeof seconds === 'number' ? seconds : (fill(seconds, secondsOf, plainDuration.expected, PART_OF_DURATION) ?? 0)
const inFull = fields(
  { duration: described('The estimate.', duration), overwrite: described('Whether to replace one that is set.', bool) },
  ['duration'],
)

type Estimate = { seconds: number | string; overwrite: boolean }

const args: Shape<Estimate> = {
  expected: `${duration.expected}, or a mapping with duration, overwrite`,
  schema: (context) => ({ anyOf: [duration.schema(context), inFull.schema(context)] }),
  read(value, path, issues, context) {
    if (isMap(value)) {
      const read = inFull.read(value, path, issues, context)
      return read && { seconds: read.duration, overwrite: read.overwrite === true }
    }
    const seconds = duration.read(value, path, issues, context)
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
  template: { fillArgs: (args, fill) => ({ ...args, seconds: fillDuration(args.seconds, fill) }) },
  on: 'issues',
  when: 'one_way',
  effects: ({ seconds }) => (typeof seconds === 'number' ? [{ fact: 'time_estimate', value: seconds }] : []),
  calls({ args: { seconds: filled, overwrite }, facts, target }) {
    const seconds = Number(filled)
    const text = formatHours(seconds)
    const current = facts.time_estimate
    if (current === seconds) return nothingToDo(`the estimate is ${text} already`)
    if (current > 0 && !overwrite)
      return nothingToDo(`an estimate of ${formatHours(current)} is set; overwrite: true would change it`)
    return oneCall(`set the estimate to ${text}`, callOn(target, 'timeEstimate', { duration: text }))
  },
})
