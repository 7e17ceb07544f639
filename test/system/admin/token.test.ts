// A token that the service takes no more, and new ones in its file, the last of another user: the real process goes on without a restart, and nothing has failed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { always, type BotWorld, startBotWorld } from '../bot-world.ts'
import { inTheEnd } from '../crashes/queue-processes.ts'
import { startCommand } from '../process.ts'

const hookSecret = 'hook-secret-of-the-token-test'
const expired = 'token-that-has-expired'

let world: BotWorld
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellhop-token-'))
  world = await startBotWorld({ docs: { rule: always, does: '{ label: { add: seen }, approve: true }' } }, undefined)
})
afterAll(async () => {
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

test('a rejected token pauses, a new one in its file lets work go on, and nothing has failed; a token of another user makes it that user', async () => {
  const file = join(folder, 'token')
  await writeFile(file, `${expired}\n`)
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
  })
  try {
    const [, url = ''] = await running.says(/bellhop: (http:\S+)/)
    const iid = world.iids.get('docs') ?? 0
    const body = JSON.stringify({
      object_kind: 'merge_request',
      project: { id: world.project },
      object_attributes: { iid, target_project_id: world.project, action: 'update' },
    })
    const headers = { 'content-type': 'application/json', 'x-gitlab-token': hookSecret }
    const ready = async () => {
      const answer = await fetch(`${url}/readyz`)
      return { status: answer.status, failed: ((await answer.json()) as { failed?: string[] }).failed }
    }
    const deliver = async (id: string) =>
      (await fetch(`${url}/hooks`, { method: 'POST', body, headers: { ...headers, 'webhook-id': id } })).status
    expect(await deliver('first')).toBe(202)
    await inTheEnd(async () => expect(await ready()).toEqual({ status: 503, failed: ['token'] }))

    await writeFile(file, `${world.options.token}\n`)
    const labels = async () =>
      (await world.bot.mergeRequests.get({ id: world.project, merge_request_iid: iid })).body.labels
    await inTheEnd(async () => expect(await labels()).toEqual(['seen']))
    await inTheEnd(async () => expect(await ready()).toEqual({ status: 200, failed: undefined }))
    const approvedBy = async () => {
      const { approved_by: all } = (
        await world.bot.mergeRequests.approvals({ id: world.project, merge_request_iid: iid })
      ).body
      return (all ?? []).map(({ user }) => user?.username).sort()
    }
    // Approved in the same turn as it is labelled, by a call of its own.
    await inTheEnd(async () => expect(await approvedBy()).toEqual(['bellhop']))

    await writeFile(file, `${world.other.token}\n`)
    expect(await deliver('second')).toBe(202)
    await inTheEnd(async () => expect(await approvedBy()).toEqual(['bellhop', world.other.username]))
    const log = running.stderr()
    expect(log.split('"event":"token_read"')).toHaveLength(4)
    expect(log).not.toContain('"event":"job_failed"')
    expect([expired, world.options.token, world.other.token].filter((each) => log.includes(each))).toEqual([])
  } finally {
    running.child.kill('SIGKILL')
    await running.ended
  }
})
