// The service in trouble, with the embedded queue.
import { outageSuite } from './outage.suite.ts'

describe.sequential('on the embedded queue', () => {
  outageSuite(() => undefined)
})
