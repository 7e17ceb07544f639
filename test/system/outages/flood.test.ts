// A flood past the backlog, on the embedded queue and on a Redis of the tests' own.
import { onRedis } from '../../servers/on-redis.ts'
import { floodSuite } from './flood.suite.ts'

describe('on the embedded queue', () => {
  floodSuite(() => undefined)
})

onRedis(floodSuite)
