// The queue suite on the embedded backend, and its directory lock.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QueueDirectoryInUse, QueueMisconfigured } from '../../src/queue/errors.ts'
import { openQueues } from '../../src/queue/open-queue.ts'
import type { Queues } from '../../src/queue/types.ts'
import { queueSuite } from '../suites/queue/queue.suite.ts'

const directory = mkdtempSync(join(tmpdir(), 'bellhop-queue-'))
const progress: string[] = []
let queues: Queues

beforeAll(async () => {
  queues = await openQueues({ url: `embedded:${directory}`, onProgress: (sentence) => progress.push(sentence) })
})

afterAll(async () => {
  await queues.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('embedded', () => {
  queueSuite(() => queues)

  test('reports progress before the slow first start', () => {
    expect(progress).toEqual([expect.stringContaining(directory)])
  })

  test('a second process is refused the directory, and the error says what to do', async () => {
    const program = `import { openQueues } from ${JSON.stringify(new URL('../../src/queue/open-queue.ts', import.meta.url).href)}
      openQueues({ url: ${JSON.stringify(`embedded:${directory}`)} }).then(() => console.log('opened'), (error) => console.log(error.name + ': ' + error.message))`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (bytes) => {
      said += String(bytes)
    })
    await new Promise((resolve) => child.once('close', resolve))
    expect(said).toContain('QueueDirectoryInUse')
    expect(said).toContain(directory)
    expect(said).toContain(`process ${process.pid}`)
    expect(said).toMatch(/Stop that process, or/)
  })

  test('the same process is refused as well', async () => {
    await expect(openQueues({ url: `embedded:${directory}/` })).rejects.toThrow(QueueDirectoryInUse)
  })

  test('a URL without a known backend is refused and not shown', async () => {
    const refused = openQueues({ url: 'secret-password' })
    await expect(refused).rejects.toThrow(QueueMisconfigured)
    await expect(refused).rejects.not.toThrow(/secret/)
    await expect(openQueues({ url: 'embedded:' })).rejects.toThrow(QueueMisconfigured)
  })
})
