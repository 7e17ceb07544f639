// Rules and bots that fight, on a Redis of the tests' own.
import { onRedis } from '../../on-redis.ts'
import { fightsSuite } from './loops.suite.ts'

onRedis(fightsSuite)
