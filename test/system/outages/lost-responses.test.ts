// Lost answers on the embedded queue.
import { describe } from 'vitest'
import { lostAnswersSuite } from './lost-responses.suite.ts'

describe('on the embedded queue', () => {
  lostAnswersSuite(() => undefined)
})
