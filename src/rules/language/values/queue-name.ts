// The name of a merge queue: it is part of branch names.
import { shape } from './shapes.ts'

const pattern = '^[A-Za-z0-9_-]{1,40}$'

export const queueName = shape(
  'a name of at most 40 letters, digits, - and _',
  (value) => (typeof value === 'string' && new RegExp(pattern).test(value) ? value : undefined),
  { type: 'string', pattern },
)
