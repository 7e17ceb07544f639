// The embedded queue on a full disk: adds are refused, no acknowledged job is lost, and it recovers.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QueueUnavailable } from '../../src/queue/errors.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import { prepareQueue } from '../prepared-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellhop-full-disk-'))
const small = mountSmallDisk(folder)
afterAll(() => {
  if (small) spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
})

/** A disk of its own; false, with a line that says so, where that is not allowed. */
function mountSmallDisk(at: string): boolean {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=120m', 'tmpfs', at], { stdio: 'ignore' }).status === 0
  if (!mounted) process.stderr.write('Skipped: a full disk can only be tried by root, on a tmpfs.\n')
  return mounted
}

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
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 4 * 1024 * 1024)))
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
