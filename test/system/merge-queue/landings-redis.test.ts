// Landings that are interrupted, on a Redis of the tests' own.
import { onRedis } from '../../servers/on-redis.ts'
import { landingsSuite } from './landings.suite.ts'

onRedis(landingsSuite)
