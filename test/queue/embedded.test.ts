// The queue suite on the embedded backend, and queue URLs that are refused.
import { QueueDirectoryInUse, QueueMisconfigured } from '../../src/queue/errors.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues } from '../../src/queue/types.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { prepareQueue } from '../prepared-database.ts'
import { queueSuite } from '../suites/queue/queue.suite.ts'

const directory = ownFolder().folder
let queues: Queues

beforeAll(async () => {
  queues = await openQueues({ url: await prepareQueue(directory) })
})

afterAll(() => queues.close())

describe('embedded', () => {
  queueSuite(() => queues)

  test('a directory in use is refused, with its holder and what to do', async () => {
    const refused = openQueues({ url: `embedded:${directory}/` })
    await expect(refused).rejects.toThrow(QueueDirectoryInUse)
    await expect(refused).rejects.toThrow(
      `The queue directory ${directory} is in use by process ${process.pid}. Stop that process, or`,
    )
  })

  test('a URL without a known backend is refused and not shown', async () => {
    const refused = openQueues({ url: 'secret-password' })
    await expect(refused).rejects.toThrow(QueueMisconfigured)
    await expect(refused).rejects.not.toThrow(/secret/)
    await expect(openQueues({ url: 'embedded:' })).rejects.toThrow(QueueMisconfigured)
  })
})
