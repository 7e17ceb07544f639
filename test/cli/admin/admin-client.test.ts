// What the commands of a running bot say when it refuses: what was wrong and what to do, never the HTTP request.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedAdmin, serveAdmin } from '../../admin/serve-admin.ts'
import { useStores } from '../../bot/stores.ts'
import { bellhopHere } from '../run-here.ts'

const stores = useStores({ own: true })
const reader = { name: 'reader', token: 'a-token-that-may-only-read', scopes: ['read'] as const }
let admin: ServedAdmin
let proxy: Server
beforeAll(async () => {
  admin = await serveAdmin({ journal: stores.journal }, { tokens: [reader] })
  proxy = createServer((_request, response) => void response.writeHead(502).end('<html>Bad Gateway</html>'))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  admin.server.close()
  proxy.close()
})

const run = (command: string, url = admin.url) =>
  bellhopHere(command.split(' '), { BELLHOP_ADMIN_URL: url, BELLHOP_ADMIN_TOKEN: reader.token })

test.each([
  ['decisions show 0b6e2f', 1, 'There is no decision with that id: it is wrong, or'],
  ['deliveries show 4f1c7d', 1, 'There is no delivery with that id: it is wrong, or'],
  ['decisions list --project hotel/none', 2, 'No delivery came from a project hotel/none: is that its full path?'],
  ['decisions list --project 7 --iid x', 2, 'iid: expected a whole number, found "x".'],
  ['deliveries list --iid 1', 2, 'A merge request needs both project and iid.'],
  [
    'queue pause',
    1,
    'The token "reader" lacks the scope "manage", which this operation needs. Set BELLHOP_ADMIN_TOKEN',
  ],
  ['merge-queue show hotel/none main', 2, 'No delivery came from a project hotel/none'],
])('%s', async (command, code, says) => {
  const { err, ...result } = await run(command)
  expect(result).toEqual({ code, out: '' })
  expect(err.startsWith(`bellhop: ${says}`), err).toBe(true)
  expect(err).not.toMatch(/GET|POST|\/admin\/api|answered|\d{3}:|✖/)
})

test('an error of something in between names the address and the status', async () => {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  expect(await run('queue status', url)).toEqual({
    ...{ code: 1, out: '' },
    err: `bellhop: ${url} could not do that (HTTP 502). Its log says why; bellhop doctor checks its settings.\n`,
  })
})
