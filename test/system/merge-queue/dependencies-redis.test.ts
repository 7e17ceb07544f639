// Merge requests that depend on others are evaluated when those are merged. On Redis, the quicker backend.
import { onRedis } from '../../servers/on-redis.ts'
import { shareQueueWorld } from './queue-world.ts'

const when = '{ state: opened, pipeline: success, dependencies_merged: true }'

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url(), tier: 'premium' }))

  test('waits for what GitLab Premium itself says', async () => {
    const queue = await start({ when })
    const base = await queue.openMergeRequest({ branch: 'base' })
    const top = await queue.openMergeRequest({ branch: 'top' })
    const { id } = await queue.mergeRequest(base.iid)
    await queue.service.mergeRequests.blocks.create({ ...queue.ref(top.iid), blocking_merge_request_id: id ?? 0 })
    await queue.pipeline(top.sha, 'top', 'success')
    await queue.settle()
    expect(await queue.entries()).toEqual([])
    await queue.service.mergeRequests.accept(queue.ref(base.iid))
    await queue.settle()
    expect(await queue.entries()).toEqual([top.iid])
  })
})
