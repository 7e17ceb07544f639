// The file of the operator's chats: addresses from files and variables, and a mistake has its line and column.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chatsHere, chatsOf, readChats } from '../../../src/cli/chats/chats-file.ts'
import { ownFolder } from '../own-folder.ts'

const { folder, write } = ownFolder()
const url = 'https://chat.example.com/hooks/secret-of-the-chat'
const address = write('address', `${url}\n`)
const environment = { CHAT: `${url}?a=b`, WRONG: 'ftp://secret-of-the-chat', USER: 'https://secret-of-the-chat:b@c' }
const read = (chats: string) => readChats(`version: 1\nchats:\n${chats}`, { file: 'c.yml', environment })

test('a chat has its kind, its address and the projects that may use it', () => {
  expect(
    read(`
  team-chat: { kind: slack, url: { file: ${address} }, projects: [hotel/**, motel/app] }
  all: { kind: json, url: { variable: CHAT } }
  one: { kind: teams, url: { variable: CHAT }, projects: hotel/app }
`),
  ).toEqual({
    ok: true,
    chats: [
      { name: 'team-chat', kind: 'slack', url, projects: ['hotel/**', 'motel/app'] },
      { name: 'all', kind: 'json', url: `${url}?a=b` },
      { name: 'one', kind: 'teams', url: `${url}?a=b`, projects: ['hotel/app'] },
    ],
  })
})

test.each([
  [
    'another kind',
    '  a: { kind: irc, url: { variable: CHAT } }',
    'c.yml:3:14: chats.a.kind: expected one of slack, mattermost, teams, json',
  ],
  [
    'an address in the file',
    `  a: { kind: slack, url: "${url}" }`,
    'c.yml:3:26: chats.a.url: expected { file: PATH } or { variable: NAME }',
  ],
  [
    'another protocol',
    '  a: { kind: slack, url: { variable: WRONG } }',
    'c.yml:3:26: chats.a.url: expected an http:// or https:// address',
  ],
  [
    'a password',
    '  a: { kind: slack, url: { variable: USER } }',
    'c.yml:3:26: chats.a.url: expected an address without user name and password',
  ],
  [
    'no such variable',
    '  a: { kind: slack, url: { variable: NONE } }',
    'c.yml:3:26: chats.a.url: expected the secret in the variable NONE, which is not set',
  ],
  [
    'a name with capitals',
    '  Team: { kind: slack, url: { variable: CHAT } }',
    'c.yml:3:9: chats.Team: expected a name of small letters, digits, dots, - and _',
  ],
  [
    'no project',
    '  a: { kind: slack, url: { variable: CHAT }, projects: [] }',
    'c.yml:3:56: chats.a.projects: expected at least one project',
  ],
  [
    'an unknown key',
    '  a: { kind: slack, url: { variable: CHAT }, channel: x }',
    'c.yml:3:46: chats.a.channel: unknown key',
  ],
])('%s is a mistake with its place, and shows no address', (_what, chats, problem) => {
  const found = read(chats)
  expect(found).toEqual({ ok: false, problems: [problem] })
  expect(JSON.stringify(found)).not.toContain('secret-of-the-chat')
})

test('a command knows the chats only where the environment names their file', async () => {
  const file = write('here.yml', 'version: 1\nchats: { a: { kind: json, url: { variable: CHAT } } }')
  expect(await chatsHere({ BELLHOP_CHATS: file, ...environment })).toMatchObject([{ name: 'a' }])
  expect([await chatsHere({}), await chatsHere({ BELLHOP_CHATS: '' })]).toEqual([undefined, undefined])
})

test('no file is no chat, and one that cannot be used stops the start', async () => {
  expect(await chatsOf('', {})).toEqual([])
  await expect(chatsOf(join(folder, 'none.yml'), {})).rejects.toThrow('There is no file')
  await expect(chatsOf(write('two.yml', 'version: 2\nchats: {}'), {})).rejects.toThrow('expected the version 1')
})
