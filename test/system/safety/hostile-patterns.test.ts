// Hostile rule files in three projects at once, on the embedded queue and on a Redis of the tests' own.
import { describe } from 'vitest'
import { onRedis } from '../../on-redis.ts'
import { hostilePatternsSuite } from './hostile-patterns.suite.ts'

describe('on the embedded queue', () => {
  hostilePatternsSuite(() => undefined)
})

onRedis(hostilePatternsSuite)
