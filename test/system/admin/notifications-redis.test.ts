// Notifications, on Redis.
import { onRedis } from '../../on-redis.ts'
import { tellingSuite } from './notifications.suite.ts'

onRedis(tellingSuite)
