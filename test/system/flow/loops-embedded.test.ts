// Rules and bots that fight, on the embedded queue.
import { describe } from 'vitest'
import { fightsSuite } from './loops.suite.ts'

describe('on the embedded queue', () => {
  fightsSuite(() => undefined)
})
