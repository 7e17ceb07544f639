// Lost answers on a Redis of the tests' own.
import { onRedis } from '../../on-redis.ts'
import { lostAnswersSuite } from './lost-responses.suite.ts'

onRedis((url) => lostAnswersSuite(url))
