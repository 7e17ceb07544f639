// Several hosting services in one process on a Redis of the tests' own.
import { onRedis } from '../../on-redis.ts'
import { servicesSuite } from './services.suite.ts'

onRedis(servicesSuite)
