// The queue in this process, kept in a directory.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QueueDirectoryInUse, QueueMisconfigured } from '../../src/queue/errors.ts'
import { openQueue } from '../../src/queue/open-queue.ts'
import type { Queue } from '../../src/queue/types.ts'
import { queueSuite } from '../suites/queue.suite.ts'

const directory = mkdtempSync(join(tmpdir(), 'bellhop-queue-'))
const progress: string[] = []
let queue: Queue

beforeAll(async () => {
  queue = await openQueue({ url: `embedded:${directory}`, onProgress: (sentence) => progress.push(sentence) })
})

afterAll(async () => {
  await queue.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('embedded', () => {
  queueSuite(() => queue)

  test('says a sentence before the slow first start', () => {
    expect(progress).toEqual([expect.stringContaining(directory)])
  })

  test('a second process is refused the directory with a sentence that says what to do', async () => {
    const program = `import { openQueue } from ${JSON.stringify(new URL('../../src/queue/open-queue.ts', import.meta.url).href)}
      openQueue({ url: ${JSON.stringify(`embedded:${directory}`)} }).then(() => console.log('opened'), (error) => console.log(error.name + ': ' + error.message))`
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
    await expect(openQueue({ url: `embedded:${directory}/` })).rejects.toThrow(QueueDirectoryInUse)
  })

  test('a URL that names no store is refused without being shown', async () => {
    const refused = openQueue({ url: 'secret-password' })
    await expect(refused).rejects.toThrow(QueueMisconfigured)
    await expect(refused).rejects.not.toThrow(/secret/)
    await expect(openQueue({ url: 'embedded:' })).rejects.toThrow(QueueMisconfigured)
  })
})
