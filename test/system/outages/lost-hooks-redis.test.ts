// Lost hooks on a Redis of the tests' own.
import { onRedis } from '../../on-redis.ts'
import { lostHooksSuite } from './lost-hooks.suite.ts'

onRedis((url) => lostHooksSuite(url, 12))
