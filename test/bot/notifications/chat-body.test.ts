// What is posted to each kind of chat: nothing in the text is a link, a mention or markup.
import { type ChatKind, type ChatMessage, chatBody, chatKinds } from '../../../src/bot/notifications/chat-body.ts'

const url = 'https://git.example.com/hotel/app/-/merge_requests/2'
const message: ChatMessage = {
  ...{ id: 'chat-1', to: 'team', text: 'Ready: Add a door' },
  ...{ project: 7, iid: 2, projectPath: 'hotel/app', name: 'hotel/app!2', url },
}
const bodyOf = (kind: ChatKind, changes: Partial<ChatMessage> = {}) =>
  JSON.parse(chatBody(kind, { ...message, ...changes }))

/** All texts that the chat shows as text, without the link to the page. */
const shown: Record<ChatKind, (text: string) => string> = {
  slack: (text) => {
    const { text: fallback, blocks } = bodyOf('slack', { text })
    expect(blocks[0].text).toMatchObject({ type: 'plain_text', emoji: false })
    return `${fallback}\n${blocks[0].text.text}`
  },
  mattermost: (text) => bodyOf('mattermost', { text, url: undefined }).text,
  teams: (text) => {
    const { body } = bodyOf('teams', { text }).attachments[0].content
    expect(body.every(({ type }: { type: string }) => type === 'RichTextBlock')).toBe(true)
    return body.map((each: { inlines: { text: string }[] }) => each.inlines.map((run) => run.text).join('')).join('\n')
  },
  json: (text) => bodyOf('json', { text, url: undefined }).text,
}

test.each<[ChatKind, object]>([
  [
    'slack',
    {
      text: 'Ready: Add a door (hotel/app!2)',
      mrkdwn: false,
      blocks: [
        { type: 'section', text: { type: 'plain_text', text: 'Ready: Add a door', emoji: false } },
        { type: 'context', elements: [{ type: 'mrkdwn', text: `<${url}|hotel/app!2>`, verbatim: true }] },
      ],
    },
  ],
  ['mattermost', { text: `Ready: Add a door\n[hotel/app!2](${url})` }],
  [
    'json',
    {
      ...{ version: 1, id: 'chat-1', to: 'team', text: `Ready: Add a door · ${url}` },
      about: { project: 7, projectPath: 'hotel/app', iid: 2, url },
    },
  ],
])('a body for %s', (kind, expected) => {
  expect(bodyOf(kind)).toEqual(expected)
})

test('a body about the project itself has no number', () => {
  const page = 'https://git.example.com/hotel/app'
  const about = { project: 7, projectPath: 'hotel/app', url: page }
  expect(bodyOf('json', { iid: 0, name: 'hotel/app', url: page }).about).toEqual(about)
})

test('a body for teams is a card of plain text with a button', () => {
  const [attachment] = bodyOf('teams', { text: 'one\n\ntwo' }).attachments
  expect(attachment.contentType).toBe('application/vnd.microsoft.card.adaptive')
  expect(attachment.content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
  expect(attachment.content.actions).toEqual([{ type: 'Action.OpenUrl', title: 'hotel/app!2', url }])
  expect(attachment.content.body.map((each: { inlines: [{ text: string }] }) => each.inlines[0].text)).toEqual([
    ...['one', ' ', 'two', 'hotel/app!2'],
  ])
})

describe.each(chatKinds)('the text for %s', (kind) => {
  test.each([
    '<!channel> <@U123> <https://evil.example|a page>',
    '@all @channel @here @alice',
    '[click](https://evil.example) ![](https://evil.example/x.png)',
    'https://evil.example www.evil.example ftp://evil.example',
    '*bold* `code` ```\nfence\n```',
    '<at>Everybody</at> &lt;!channel&gt;',
    '&#64;all &#x40;here &commat;alice &amp;#64;all &#64all &lt;!channel&gt',
    'mailto:a@b.example tel:110',
    'left \u202e right \u200b \u0007 \ud800 end',
  ])('has no link, mention or markup: %j', (text) => {
    const said = shown[kind](text)
    expect(said).not.toMatch(/[<>@`*[\]]/)
    expect(said).not.toContain('://')
    expect(said).not.toMatch(/www\.|mailto:|tel:/)
    expect(said).not.toMatch(/&(?!amp;(?![#\w]))[#\w]/)
    for (const hidden of ['\u0007', '\u202e', '\u200b', '\ud800']) expect(said).not.toContain(hidden)
  })
  test('is cut where it is huge, in length and lines', () => {
    const said = shown[kind](`${'x\n'.repeat(10_000)}`)
    expect(said.length).toBeLessThan(10_000)
    expect(shown[kind]('y'.repeat(1_000_000)).length).toBeLessThan(6_500)
  })
  test('keeps its lines, without indentation', () => {
    expect(shown[kind]('one\n      two')).toContain('one\ntwo')
  })
})

test('Markdown’s marks are plain text in Mattermost', () => {
  expect(shown.mattermost('a_b~c|d\\e #hashtag\n# one\n- two\n+ three\n4. four\n==\n---')).toBe(
    'a\\_b～c\\|d\\\\e ＃hashtag\n\\# one\n\\- two\n\\+ three\n4\\. four\n＝=\n\\---\nhotel/app!2',
  )
})

test('an ampersand stays one in Slack', () => {
  expect(bodyOf('slack', { text: 'R & D' }).text).toContain('R &amp; D')
})

describe.each(chatKinds)('for %s', (kind) => {
  test.each([
    'javascript:alert(1)',
    'https://git.example.com/a|b',
    'https://git.example.com/a)b',
    'https://a b',
    '',
    undefined,
  ])('a page %j is left out', (page) => {
    const body = chatBody(kind, { ...message, url: page })
    expect(body).not.toContain('Action.OpenUrl')
    expect(body).not.toMatch(/javascript|a\|b|a\)b|https:\/\/(a|git)/)
  })
  test('the name of a project is no markup', () => {
    const body = chatBody(kind, { ...message, name: 'a|b<!channel>](x)@all!2' })
    expect(body).not.toMatch(/<!channel>|@all|\]\(x/)
  })
})
