// Landings that are interrupted, on a Redis of the tests' own.
import { inject } from 'vitest'
import { onRedis } from '../../servers/on-redis.ts'
import { landingsSuite } from './landings.suite.ts'

onRedis((url) => landingsSuite(url, { pushes: inject('queueOf') === undefined }))
