// kill -9 of the process that holds the embedded queue.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { prepareQueue } from '../../prepared-database.ts'
import { crashSuite } from './crash.suite.ts'

describe('on the embedded queue', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-crash-queue-'))
  beforeAll(() => prepareQueue(folder))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  crashSuite(() => `embedded:${folder}`)
})
