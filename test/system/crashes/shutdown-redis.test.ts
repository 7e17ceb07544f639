// SIGTERM with a Redis.
import { onRedis } from '../../servers/on-redis.ts'
import { shutdownSuite } from './shutdown.suite.ts'

onRedis(shutdownSuite)
