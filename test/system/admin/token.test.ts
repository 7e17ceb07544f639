// Tokens of the real process: one that the service takes no more, new ones in its file, and one of OAuth.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '../../../src/client/create-client.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { eventually } from '../../eventually.ts'
import { always, type BotWorld, startBotWorld } from '../bot-world.ts'
import { startCommand } from '../process.ts'

const hookSecret = 'hook-secret-of-the-token-test'
const expired = 'token-that-has-expired'

let world: BotWorld
const { folder } = ownFolder()
beforeAll(async () => {
  const does = '{ label: { add: seen }, approve: true }'
  world = await startBotWorld({ docs: { rule: always, does }, app: { rule: always, does } }, undefined)
})
afterAll(() => world?.close())

/** The bot with its token in the file. */
async function serve(file: string, settings: Record<string, string> = {}) {
  const running = startCommand(['serve'], {
    BELLHOP_SERVICE_URL: world.sandbox.url,
    BELLHOP_SERVICE_TOKEN_FILE: file,
    BELLHOP_HOOK_SECRET: hookSecret,
    BELLHOP_PORT: '0',
    BELLHOP_RULES: world.options.rules,
    BELLHOP_QUEUE_URL: world.options.queueUrl,
    BELLHOP_LOG_LEVEL: 'debug',
    BELLHOP_SWEEP_EVERY: '0',
    BELLHOP_NEW_RULE_LIMIT: '0',
    ...settings,
  })
  const [, url = ''] = await running.says(/bellhop: (http:\S+)/)
  const ready = async () => {
    const answer = await fetch(`${url}/readyz`)
    return { status: answer.status, failed: ((await answer.json()) as { failed?: string[] }).failed }
  }
  /** An event of the branch's merge request. */
  const deliver = async (id: string, branch: string) => {
    const body = JSON.stringify({
      object_kind: 'merge_request',
      project: { id: world.project },
      object_attributes: { iid: world.iids.get(branch), target_project_id: world.project, action: 'update' },
    })
    const headers = { 'content-type': 'application/json', 'x-gitlab-token': hookSecret, 'webhook-id': id }
    return (await fetch(`${url}/hooks`, { method: 'POST', body, headers })).status
  }
  const stop = async () => {
    running.child.kill('SIGKILL')
    await running.ended
  }
  return { log: running.stderr, ready, deliver, stop }
}

const ref = (branch: string) => ({ id: world.project, merge_request_iid: world.iids.get(branch) ?? 0 })
const labels = async (branch: string) => (await world.bot.mergeRequests.get(ref(branch))).body.labels
const approvedBy = async (branch: string) =>
  ((await world.bot.mergeRequests.approvals(ref(branch))).body.approved_by ?? [])
    .map(({ user }) => user?.username)
    .sort()

test('a rejected token pauses, a new one in its file lets work go on, and nothing has failed; a token of another user makes it that user', async () => {
  const file = join(folder, 'token')
  await writeFile(file, `${expired}\n`)
  const bot = await serve(file)
  onTestFinished(() => bot.stop())
  expect(await bot.deliver('first', 'docs')).toBe(202)
  await eventually(async () => expect(await bot.ready()).toEqual({ status: 503, failed: ['token'] }))

  await writeFile(file, `${world.options.token}\n`)
  await eventually(async () => expect(await labels('docs')).toEqual(['seen']))
  await eventually(async () => expect(await bot.ready()).toEqual({ status: 200, failed: undefined }))
  // Approved in the same turn as it is labelled, by a call of its own.
  await eventually(async () => expect(await approvedBy('docs')).toEqual(['bellhop']))

  await writeFile(file, `${world.other.token}\n`)
  expect(await bot.deliver('second', 'docs')).toBe(202)
  await eventually(async () => expect(await approvedBy('docs')).toEqual(['bellhop', world.other.username]))
  const log = bot.log()
  expect(log.split('"event":"token_read"')).toHaveLength(4)
  expect(log).not.toContain('"event":"job_failed"')
  expect([expired, world.options.token, world.other.token].filter((each) => log.includes(each))).toEqual([])
})

test('a token of OAuth works as Bearer, and is rejected as a private token', async () => {
  const file = join(folder, 'oauth')
  const root = createClient({ baseUrl: world.sandbox.url, token: world.sandbox.token })
  const given = { user_id: world.botId, name: 'oauth', scopes: ['api'], oauth: true }
  await writeFile(file, `${(await root.users.createToken(given)).body.token}\n`)
  const rejected = await serve(file)
  try {
    expect(await rejected.deliver('oauth', 'app')).toBe(202)
    await eventually(async () => expect(await rejected.ready()).toEqual({ status: 503, failed: ['token'] }))
  } finally {
    await rejected.stop()
  }
  expect(await labels('app')).toEqual([])
  const bot = await serve(file, { BELLHOP_SERVICE_TOKEN_KIND: 'bearer' })
  onTestFinished(() => bot.stop())
  await eventually(async () => expect(await labels('app')).toEqual(['seen']))
  await eventually(async () => expect(await approvedBy('app')).toEqual(['bellhop']))
  await eventually(async () => expect(await bot.ready()).toEqual({ status: 200, failed: undefined }))
})
