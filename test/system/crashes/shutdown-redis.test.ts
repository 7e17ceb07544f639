// SIGTERM with a Redis.
import { onRedis } from '../../on-redis.ts'
import { shutdownSuite } from './shutdown.suite.ts'

onRedis(shutdownSuite)
