// Merge requests that depend on others are evaluated when those are merged. On Redis, the quicker backend.
import { expect, test } from 'vitest'
import { onRedis } from '../../servers/on-redis.ts'
import { shareQueueWorld } from './queue-world.ts'

const when = '{ state: opened, pipeline: success, dependencies_merged: true }'

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url(), tier: 'premium' }))

  test('enters the queue when the one that it depends on lands, and leaves it when its description names another', async () => {
    const queue = await start({ when })
    const base = await queue.openMergeRequest({ branch: 'base' })
    const other = await queue.openMergeRequest({ branch: 'other' })
    const top = await queue.openMergeRequest({ branch: 'top', description: `Depends on !${base.iid}` })
    await queue.pipeline(top.sha, 'top', 'success')
    await queue.settle()
    expect(await queue.entries()).toEqual([])
    expect(JSON.stringify((await queue.decisions(top.iid))[0]?.rules)).toContain('"actual":"false"')
    await queue.pipeline(base.sha, 'base', 'success')
    await queue.settle()
    expect(await queue.entries()).toEqual([base.iid])
    await queue.report(1, 'success')
    expect([await queue.stateOf(base.iid), await queue.entries()]).toEqual(['merged', [top.iid]])
    await queue.update(top.iid, { description: `Depends on !${base.iid} and !${other.iid}` })
    expect([await queue.stateOf(top.iid), await queue.entries()]).toEqual(['opened', []])
  })

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

  test('of two that depend on each other none enters, and the decision shows the cycle', async () => {
    const queue = await start({ when })
    const one = await queue.openMergeRequest({ branch: 'one' })
    const two = await queue.openMergeRequest({ branch: 'two', description: `Depends on !${one.iid}` })
    await queue.update(one.iid, { description: `Depends on !${two.iid}` })
    for (const each of [one, two]) await queue.pipeline(each.sha, each.branch, 'success')
    await queue.settle()
    expect(await queue.entries()).toEqual([])
    const shown = JSON.stringify((await queue.decisions(one.iid))[0]?.rules)
    expect(shown).toContain(`!${one.iid} depends on !${two.iid}, which depends on !${one.iid}`)
  })
})
