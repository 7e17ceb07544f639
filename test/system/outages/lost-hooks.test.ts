// Lost hooks on the embedded queue.
import { describe } from 'vitest'
import { lostHooksSuite } from './lost-hooks.suite.ts'

describe('on the embedded queue', () => {
  // What is swept does not depend on the queue: a few show that it sweeps.
  lostHooksSuite(() => undefined, 5)
})
