// Withdrawals, on a Redis of the tests' own.
import { onRedis } from '../../on-redis.ts'
import { withdrawalsSuite } from './withdrawals.suite.ts'

onRedis(withdrawalsSuite)
