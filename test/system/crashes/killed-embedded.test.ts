// Kill -9 in the middle of a call, on the embedded queue.
import { killedSuite } from './killed.suite.ts'

describe('on the embedded queue', () => {
  killedSuite(() => undefined)
})
