// docs/notifications.md: its table, its example, and its relay for another chat tool.
import { type ChildProcess, spawn } from 'node:child_process'
import { createNotification, type NotificationContent } from '../../src/bot/notifications/notification.ts'
import { createPostNotification } from '../../src/client/post-notification.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { eventually } from '../eventually.ts'
import { type NoticeReceiver, startNoticeReceiver } from '../notice-receiver.ts'
import { readPage } from './pages.ts'

const page = readPage('notifications.md')
const block = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

const about = { project: 7, projectPath: 'hotel/app', hook: 3, until: null }
const disabled = createNotification({ kind: 'hook_disabled', about }, { key: 'x', at: '2026-11-21T12:00:00.000Z' })

test('the example is what is posted', () => {
  expect({ ...JSON.parse(block('json')), id: disabled.id }).toEqual(disabled)
})

test('the table names every kind', () => {
  const kinds: Record<NotificationContent['kind'] | 'more', true> = {
    ...{
      job_failed: true,
      rule_file_broken: true,
      service_paused: true,
      service_works_again: true,
      hook_disabled: true,
      token_expires: true,
      merge_queue_paused: true,
      status_forged: true,
      merged_elsewhere: true,
      merged_past_rules: true,
      more: true,
    },
  }
  expect([...page.matchAll(/^\| `([a-z_]+)` \| (?!when)/gm)].map(([, kind]) => kind).sort()).toEqual(
    Object.keys(kinds).sort(),
  )
})

let chat: NoticeReceiver
let relay: ChildProcess | undefined
beforeAll(async () => {
  chat = await startNoticeReceiver()
})
afterAll(async () => {
  relay?.kill()
  await chat.close()
})

test('the relay gives a chat tool the text in the format that it wants', async () => {
  const free = await startNoticeReceiver()
  const { port } = new URL(free.url)
  await free.close()
  const program = ownFolder().write('relay.mjs', block('js'))
  relay = spawn(process.execPath, [program], { env: { PORT: port, CHAT_URL: chat.url }, stdio: 'inherit' })
  const post = createPostNotification({ url: `http://127.0.0.1:${port}/`, signing: [] })
  await eventually(() => post(disabled.id, JSON.stringify(disabled)))
  expect(chat.taken.map(({ body }) => JSON.parse(body))).toEqual([{ content: disabled.text }])
})
