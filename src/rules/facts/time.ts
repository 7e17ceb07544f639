// Ages.
import { fact } from '../fact.ts'
import { age as ageType } from '../fact-types.ts'
import { sources } from '../sources.ts'

/** The forms that services send: `2017-09-15T16:50:55.123Z`, with an offset, or `2017-09-15 16:50:55 UTC`. A time without a zone is not guessed at. */
export function parseTime(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})? ?(?:Z|UTC|[+-]\d{2}:?\d{2})$/.test(text))
    return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

export const age = fact({
  doc: 'How long ago it was opened. A day has 24 hours.',
  type: ageType,
  from: sources.mergeRequest,
  read: (mr, view) => {
    const [created, now] = [parseTime(mr.created_at), parseTime(view.now)]
    return created === undefined || now === undefined ? undefined : Math.max(0, Math.floor((now - created) / 1000))
  },
  example: 'age: { older_than: 30d }',
  unblock: (wanted) => `an age that is ${wanted}`,
})
