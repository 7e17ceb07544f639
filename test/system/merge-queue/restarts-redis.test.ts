// Kill -9 during a merge queue's work, on the tests' own Redis; and a process that is frozen while another works.
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { botJournalUrl, emptyDatabase } from '../../bot-journal.ts'
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import type { RelayedRequest } from '../relay.ts'
import { brief, byAccept, byAcceptBriefly, byPush, restartsSuite, startQueueProcesses } from './restarts.suite.ts'

onRedis((url) => {
  const forget = async () => {
    if (!url().startsWith('redis:')) return emptyDatabase(url())
    const redis = new Redis(url())
    await redis.flushall()
    await redis.quit()
    await emptyDatabase(await botJournalUrl(url()))
  }
  beforeEach(forget)
  // What is special in each story does not depend on the store.
  restartsSuite(url, forget, inject('queueOf') === undefined ? [byAccept, byPush, ...brief] : [byAcceptBriefly])

  let world: Awaited<ReturnType<typeof startQueueProcesses>> | undefined
  afterEach(() => world?.close())
  const isPipeline = ({ path }: RelayedRequest) => /\/pipelines\/\d+$/.test(path)

  test.each<[string, (request: RelayedRequest) => boolean]>([
    ['before it stores the landing', isPipeline],
    ['before it sends the landing', ({ path }) => path.endsWith('/git-upload-pack')],
  ])(
    'frozen %s, and taken over: it lands once',
    async (_when, isHeld) => {
      world = await startQueueProcesses(url(), ['one'])
      const { proxy, sandbox, states, branches, done } = world
      let isChecked = false
      proxy.hold('after', (request) => {
        isChecked ||= isPipeline(request)
        return isChecked && isHeld(request)
      })
      const frozen = await world.start()
      await eventually(() => expect(proxy.held(), frozen.stderr()).not.toEqual([]), 100)
      frozen.child.kill('SIGSTOP')
      const other = await world.start({ BELLHOP_SERVICE_URL: sandbox.url, BELLHOP_PORT: '0' })
      await eventually(
        async () => expect([await states(), await branches()], other.stderr()).toEqual([['merged'], []]),
        100,
      )
      proxy.release()
      proxy.hold('nothing')
      frozen.child.kill('SIGCONT')
      await eventually(() => expect(frozen.stderr()).toContain('"event":"job_taken_over"'), 100)
      expect(done()['mergeRequests.accept']).toBe(1)
    },
    400_000,
  )
})
