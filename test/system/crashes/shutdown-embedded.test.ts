// SIGTERM with the embedded queue.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { prepareQueue } from '../../prepared-database.ts'
import { shutdownSuite } from './shutdown.suite.ts'

describe.sequential('on the embedded queue', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-shutdown-'))
  beforeAll(() => prepareQueue(folder))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  shutdownSuite(() => `embedded:${folder}`)
})
