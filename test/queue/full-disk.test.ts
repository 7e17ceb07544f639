// The embedded queue on a full disk: adds are refused, no acknowledged job is lost, and it recovers.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QueueUnavailable } from '../../src/queue/errors.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import { prepareQueue } from '../prepared-database.ts'
import { fillDisk, mountSmallDisk, unmountDisk } from '../servers/small-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellhop-full-disk-'))
const small = mountSmallDisk(folder, 120)
afterAll(() => {
  if (small) unmountDisk(folder)
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(!small)('a full disk', () => {
  let url: string
  // The first file of a run makes the database that all copy: that takes longer than all the rest.
  beforeAll(async () => {
    url = await prepareQueue(join(folder, 'queue'))
  })

  test('makes add reject; no acknowledged job is lost, and adds recover, also after a restart', async () => {
    const ballast = join(folder, 'ballast')
    const queues = await openQueues({ url })
    const queue = queues.queue<string>('deliveries')
    const acknowledged = [(await queue.add({ data: 'first' })).id]
    fillDisk(folder, ballast, 4)
    const fill = async () => {
      // By chance, because the store packs what repeats itself.
      for (let n = 0; n < 80; n += 1)
        acknowledged.push((await queue.add({ data: randomBytes(500_000).toString('base64') })).id)
    }
    await expect(fill()).rejects.toThrow(QueueUnavailable)
    rmSync(ballast)
    acknowledged.push((await queue.add({ data: 'after' })).id)
    await queues.close()

    const again = await openQueues({ url })
    const stored = await Promise.all(acknowledged.map((id) => again.queue('deliveries').get(id)))
    const lost = stored.filter((job) => job === undefined).length
    process.stdout.write(
      `disk full: ${acknowledged.length} acknowledged, ${lost} lost after it was full, mended and reopened\n`,
    )
    expect(lost).toBe(0)
    await again.close()
  })
})
