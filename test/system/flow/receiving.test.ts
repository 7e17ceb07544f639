// What comes in (bench/burst sends 20,000), on the embedded queue and on a Redis of the tests' own.
import { onRedis } from '../../servers/on-redis.ts'
import { receivingSuite } from './receiving.suite.ts'

describe('on the embedded queue', () => {
  receivingSuite(() => undefined, { count: 200, bytes: 150_000 })
})

onRedis((url) => receivingSuite(url, { count: 500, bytes: 100_000 }))
