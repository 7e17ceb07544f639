// Kill -9 in the middle of a call, on a Redis of the tests' own.
import { onRedis } from '../../servers/on-redis.ts'
import { killedSuite } from './killed.suite.ts'

onRedis(killedSuite)
