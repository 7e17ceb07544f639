// The bot against the sandbox on a Redis of the tests' own.
import { onRedis } from '../../servers/on-redis.ts'
import { flowSuite } from './flow.suite.ts'

onRedis(flowSuite)
