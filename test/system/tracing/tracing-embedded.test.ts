// Traces of one process on the embedded queue.
import { describe } from 'vitest'
import { tracingSuite } from './tracing.suite.ts'

describe('one process on the embedded queue', () => {
  tracingSuite(() => undefined, [''])
})
