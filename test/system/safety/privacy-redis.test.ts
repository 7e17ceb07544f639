// What Bellhop writes is for every reader: on a Redis.
import { onRedis } from '../../on-redis.ts'
import { privacySuite } from './privacy.suite.ts'

onRedis(privacySuite)
