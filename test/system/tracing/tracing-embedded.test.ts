// Traces of one process on the embedded queue.
import { tracingSuite } from './tracing.suite.ts'

describe('one process on the embedded queue', () => {
  tracingSuite(() => undefined, [''])
})
