// People are told what went wrong, on a Redis.
import { onRedis } from '../on-redis.ts'
import { tellingSuite } from './telling.suite.ts'

onRedis(tellingSuite)
