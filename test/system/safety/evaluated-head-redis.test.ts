// What was read of another version of a merge request neither approves nor merges it: on a Redis of the tests' own.
import { onRedis } from '../../on-redis.ts'
import { judgedHeadSuite } from './evaluated-head.suite.ts'

onRedis((url) => judgedHeadSuite(url))
