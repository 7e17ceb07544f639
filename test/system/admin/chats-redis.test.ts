// Rules that post to chats without waiting. On Redis only: test/bot/notifications/chats.test.ts runs on both backends.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownFolder } from '../../cli/own-folder.ts'
import { eventually } from '../../eventually.ts'
import { type NoticeReceiver, secretOfAddress, startNoticeReceiver, well } from '../../notice-receiver.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: tell the team
    if: { labels: { any: [ready] } }
    then: { notify: { to: team, text: "{{ title }} is ready" } }
  - name: tell of it
    on: note.create
    if: { comment: { matches: "^ping" } }
    then: { notify: { to: team, text: "{{ actor }} said ping" } }
  - name: tell strangers
    if: { labels: { any: [ready] } }
    then: { notify: { to: strangers, text: "{{ title }}" } }
`

onRedis((queueUrl) => {
  let world: TestWorld
  let receiver: NoticeReceiver
  const { folder } = ownFolder()
  beforeAll(async () => {
    receiver = await startNoticeReceiver()
    const [file, address] = [join(folder, 'chats.yml'), join(folder, 'address')]
    await writeFile(address, receiver.url)
    const place = `url: { file: ${address} }`
    await writeFile(
      file,
      `version: 1\nchats:\n  team: { kind: json, ${place}, projects: hotel/** }\n  strangers: { kind: json, ${place}, projects: motel/** }\n`,
    )
    world = await startTestWorld({ rules, settings: { BELLHOP_CHATS: file }, queueUrl: queueUrl() })
  })
  afterAll(async () => {
    await world?.end()
    await receiver?.close()
  })

  const texts = () => receiver.taken.map(({ body }) => JSON.parse(body).text as string)
  const done = async (iid: number) => {
    const [decision] = (await world.decisions(iid)).filter(({ calls }) => calls.length > 0)
    return decision?.responses.map(({ call, result }) => [call.endpoint, result])
  }

  test.sequential('a rule posts once while it matches, and to no chat of other projects', async () => {
    const { iid } = await world.open('A door <!channel>')
    await world.update(iid, { labels: 'ready' })
    await eventually(async () => expect(texts()).toHaveLength(1))
    expect(texts()[0]).toMatch(/^A door ‹!channel› is ready · http:\/\/.*\/hotel\/app\/-\/merge_requests\/\d+$/)
    expect(await done(iid)).toEqual([['chat.post', 'done']])
    const blocked = (await world.decisions(iid))
      .flatMap((each) => each.rules)
      .find(({ name }) => name === 'tell strangers')
    expect(blocked?.actions[0]).toMatchObject({
      result: 'blocked',
      detail: 'the operator names no chat strangers for this project',
    })
    expect(world.log.find(({ event }) => event === 'chat_unknown')).toMatchObject({ chats: ['strangers'] })
    await world.update(iid, { title: 'Another title' })
    expect(texts()).toHaveLength(1)
  })

  test.sequential('an event rule posts once for each event, also while the chat is down, and nothing waits for it', async () => {
    receiver.answer = (response) => void response.writeHead(500).end()
    const before = receiver.taken.length
    const { iid } = await world.open('A window')
    await world.say(iid, 'ping')
    expect(await done(iid)).toEqual([['chat.post', 'done']])
    await eventually(async () => expect(world.log.some(({ event }) => event === 'chat_not_posted')).toBe(true))
    receiver.answer = well
    for (const { id } of await world.bellhop.bot.queues.chats.list(['delayed'], 0, 10))
      await world.bellhop.bot.queues.chats.promote(id)
    await eventually(async () => expect(receiver.taken).toHaveLength(before + 1))
    expect(texts().at(-1)).toMatch(/^alice said ping/)
  })

  test.sequential('no address is in the log, in a decision or in a metric', async () => {
    const metrics = await fetch(`${world.bellhop.url}/metrics`, {
      headers: { authorization: `Bearer ${world.adminToken}` },
    }).then((response) => response.text())
    expect(metrics).toMatch(/bellhop_chat_posts_total\{chat="team",result="sent"\} 2/)
    const all = [...world.rawLog, metrics, JSON.stringify(await world.decisions(1))].join('\n')
    expect(all).not.toContain(secretOfAddress)
  })
})
