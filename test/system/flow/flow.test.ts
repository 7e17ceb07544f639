// The bot against the sandbox on the embedded queue.
import { flowSuite } from './flow.suite.ts'

describe('on the embedded queue', () => {
  flowSuite(() => undefined)
})
