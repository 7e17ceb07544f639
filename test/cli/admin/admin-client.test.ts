// What the commands of a running bot say when it refuses: what was wrong and what to do, never the HTTP request.
import { createServer } from 'node:http'
import { runningBot } from '../../../src/cli/admin/admin-client.ts'
import { useStores } from '../../bot/stores.ts'
import { listening } from '../../listening.ts'
import { bellhopHere } from '../run-here.ts'
import { useRunningBot } from '../running-bot.ts'

const stores = useStores({ own: true })
const reader = { name: 'reader', token: 'a-token-that-may-only-read', scopes: ['read'] as const }
const bot = useRunningBot(() => ({ journal: stores.journal }), { tokens: [reader] })
const run = (command: string, more: Record<string, string> = {}) =>
  bellhopHere(command.split(' '), { ...bot.environment(), BELLHOP_ADMIN_TOKEN: reader.token, ...more })

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

test.each([
  [502, 'could not do that (HTTP 502). Its log says why; bellhop doctor checks its settings.'],
  [200, 'does not answer like Bellhop: is another server running there?'],
])('what answers %i in its place is named by its address', async (status, says) => {
  const other = createServer((_request, response) => void response.writeHead(status).end('<html>hello</html>'))
  onTestFinished(() => void other.close())
  const url = await listening(other)
  const { err, ...result } = await run('queue status', { BELLHOP_ADMIN_URL: url })
  expect([result, err]).toEqual([{ code: 1, out: '' }, `bellhop: ${url} ${says}\n`])
})

test('a bot that is not there: the option that names its address', async () => {
  const call = runningBot({ bellhop: 'http://127.0.0.1:1', bellhopToken: '' })
  await expect(call?.('show_queue')).rejects.toThrow(/cannot be reached: .* Set its address with --bellhop\.$/)
})
