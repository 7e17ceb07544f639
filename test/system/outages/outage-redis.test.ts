// The service in trouble, with a Redis.
import { onRedis } from '../../servers/on-redis.ts'
import { outageSuite } from './outage.suite.ts'

onRedis(outageSuite)
