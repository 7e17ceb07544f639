// Rules for issues on both tiers. On Redis, the quicker backend.
import { onRedis } from '../../servers/on-redis.ts'
import { issueSuite } from './issues.suite.ts'

onRedis((queueUrl) => {
  describe('on Free', () => issueSuite(queueUrl, 'free'))
  describe('on Premium', () => issueSuite(queueUrl, 'premium'))
})
