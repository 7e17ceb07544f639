// Logging out of the dashboard ends the session on the server. Run on each backend.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn, visit } from '../../admin/pages/visitor.ts'
import { prepareQueue } from '../../prepared-database.ts'
import { adminToken, startAdminWorld } from '../admin-world.ts'

/** `queueUrl` is asked when the suite starts; undefined is the embedded queue. */
export function sessionsSuite(queueUrl: () => string | undefined): void {
  describe('a copy of the session’s cookie', () => {
    let settings: { BELLHOP_QUEUE_URL: string }
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'bellhop-sessions-'))
      settings = { BELLHOP_QUEUE_URL: queueUrl() ?? (await prepareQueue(join(folder, 'queue'))) }
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    test('is refused after logging out, also when the bot was started again', async () => {
      const { bellhop } = await startAdminWorld(settings)
      const visitor = await logIn(bellhop, adminToken)
      const copy = { cookie: visitor.cookie }
      expect((await visit(bellhop).get('/audit', copy)).status).toBe(200)
      expect((await visitor.post('/logout', { csrf: await visitor.csrf() })).status).toBe(303)
      expect((await visit(bellhop).get('/audit', copy)).status).toBe(401)
      await bellhop.stop()
      const again = await startAdminWorld(settings)
      expect((await visit(again.bellhop).get('/audit', copy)).status).toBe(401)
      expect((await (await logIn(again.bellhop, adminToken)).get('/audit')).status).toBe(200)
    })
  })
}
